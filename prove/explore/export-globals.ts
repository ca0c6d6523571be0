import { WasmReader } from '../../tools/wasm-reader.js';

const HEADER = 8;
const EXPORTS = 7;
const GLOBAL = 3;

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >> 7)];
}

/** The module with its globals exported as `global0`, `global1` …: all else is the same bytes. */
export function exportGlobals(wasm: Uint8Array, count: number): Uint8Array {
  const reader = new WasmReader(wasm);
  const parts: Uint8Array[] = [reader.take(HEADER)];
  while (!reader.atEnd) {
    const id = reader.byte();
    let content = reader.take(reader.unsigned());
    if (id === EXPORTS) {
      const section = new WasmReader(content);
      const exports = section.unsigned();
      const rest = content.subarray(unsigned(exports).length);
      const added = Array.from({ length: count }, (_, i) => {
        const name = Buffer.from(`global${i}`);
        return [name.length, ...name, GLOBAL, i];
      });
      content = Buffer.from([...unsigned(exports + count), ...rest, ...added.flat()]);
    }
    parts.push(Buffer.from([id, ...unsigned(content.length)]), content);
  }
  return Buffer.concat(parts);
}
