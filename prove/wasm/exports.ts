// Adds exports to a module, without any other change.
import { joinSections, lengthOf, sectionsOf, WasmReader } from '../../tools/build/wasm-reader.js';

const EXPORTS = 7;
const FUNCTION = 0;
const GLOBAL = 3;

function entry(name: string, kind: number, index: number): number[] {
  return [name.length, ...Buffer.from(name), kind, ...lengthOf(index)];
}

function addExports(wasm: Uint8Array, added: number[][]): Uint8Array {
  const sections = sectionsOf(wasm).map(({ id, content }) => {
    if (id !== EXPORTS) return { id, content };
    const exports = new WasmReader(content).unsigned();
    const rest = content.subarray(lengthOf(exports).length);
    return { id, content: Buffer.from([...lengthOf(exports + added.length), ...rest, ...added.flat()]) };
  });
  return joinSections(sections);
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
