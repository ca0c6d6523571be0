import { joinSections, sectionsOf } from '../../tools/build/wasm-reader.js';

const CUSTOM = 0;

/** Removes the custom sections, which contain names and do not affect execution. */
export function stripNames(wasm: Uint8Array): Buffer {
  return joinSections(sectionsOf(wasm).filter(({ id }) => id !== CUSTOM));
}
