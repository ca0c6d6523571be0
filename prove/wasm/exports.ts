// Adds exports to a module, without any other change.
import { readFileSync } from 'node:fs';
import { compileModule } from '#emulator/device/webassembly.js';
import { exportGlobals } from '../../testkit/device/exported-globals.js';
import { joinSections, lengthOf, sectionsOf, WasmReader } from '../../tools/build/wasm-reader.js';
import { UnprovenClaim } from '../control.js';
import { decodeModule, functionIndex, type WasmModule } from './module.js';

const EXPORTS = 7;
const FUNCTION = 0;

/** Returns the module with one of its functions exported. */
export function exportFunction(wasm: Uint8Array, name: string, index: number): Uint8Array {
  const sections = sectionsOf(wasm).map(({ id, content }) => {
    if (id !== EXPORTS) return { id, content };
    const exports = new WasmReader(content).unsigned();
    const rest = content.subarray(lengthOf(exports).length);
    const added = [name.length, ...Buffer.from(name), FUNCTION, ...lengthOf(index)];
    return { id, content: Buffer.from([...lengthOf(exports + 1), ...rest, ...added]) };
  });
  return joinSections(sections);
}

/** Returns one of a module's functions, on a platform that the function must not call. */
export function openFunction(wasm: Uint8Array, name: string) {
  const module = decodeModule(wasm);
  const unused = () => {
    throw new UnprovenClaim(`${name} calls the platform`);
  };
  const imports = module.functions.filter(each => each.name.startsWith('hal.'));
  const hal = Object.fromEntries(imports.map(each => [each.name.slice(4), unused]));
  const compiled = compileModule(exportFunction(wasm, name, functionIndex(module, name)));
  const exports = new WebAssembly.Instance(compiled, { hal }).exports as Record<string, unknown>;
  return {
    memory: exports.memory as WebAssembly.Memory,
    run: exports[name] as (...parameters: (number | bigint)[]) => void,
  };
}

/** Returns the module of a file, compiled with its globals as exports. */
export function openWithGlobals(path: string): { compiled: WebAssembly.Module; module: WasmModule } {
  const wasm = readFileSync(path);
  return { compiled: compileModule(exportGlobals(wasm)), module: decodeModule(wasm) };
}
