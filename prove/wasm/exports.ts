// The module with more exports: all else is the same bytes.
import { WasmReader } from '../../tools/build/wasm-reader.js';

const HEADER = 8;
const EXPORTS = 7;
const FUNCTION = 0;
const GLOBAL = 3;

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >> 7)];
}

function entry(name: string, kind: number, index: number): number[] {
  return [name.length, ...Buffer.from(name), kind, ...unsigned(index)];
}

function addExports(wasm: Uint8Array, added: number[][]): Uint8Array {
  const reader = new WasmReader(wasm);
  const parts: Uint8Array[] = [reader.take(HEADER)];
  while (!reader.atEnd) {
    const id = reader.byte();
    let content = reader.take(reader.unsigned());
    if (id === EXPORTS) {
      const section = new WasmReader(content);
      const exports = section.unsigned();
      const rest = content.subarray(unsigned(exports).length);
      content = Buffer.from([...unsigned(exports + added.length), ...rest, ...added.flat()]);
    }
    parts.push(Buffer.from([id, ...unsigned(content.length)]), content);
  }
  return Buffer.concat(parts);
}

/** The module with its globals exported as `global0`, `global1` …. */
export function exportGlobals(wasm: Uint8Array, count: number): Uint8Array {
  return addExports(
    wasm,
    Array.from({ length: count }, (_, i) => entry(`global${i}`, GLOBAL, i)),
  );
}

/** The module with one of its functions exported. */
export function exportFunction(wasm: Uint8Array, name: string, index: number): Uint8Array {
  return addExports(wasm, [entry(name, FUNCTION, index)]);
}
