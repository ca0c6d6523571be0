import { WasmReader } from '../../tools/build/wasm-reader.js';

const HEADER = 8;
const CUSTOM = 0;

/** The bytes that a module runs by: all of it but its custom sections, where names are. */
export function stripNames(wasm: Uint8Array): Buffer {
  const reader = new WasmReader(wasm);
  const kept = [reader.take(HEADER)];
  while (!reader.atEnd) {
    const id = reader.byte();
    const content = reader.take(reader.unsigned());
    if (id !== CUSTOM) kept.push(Uint8Array.of(id), content);
  }
  return Buffer.concat(kept);
}
