import { joinSections, sectionsOf } from '../../tools/build/wasm-reader.js';

const CUSTOM = 0;

/** The module without its custom sections, where names are: it runs by the rest. */
export function stripNames(wasm: Uint8Array): Buffer {
  return joinSections(sectionsOf(wasm).filter(({ id }) => id !== CUSTOM));
}
