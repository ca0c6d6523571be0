import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../repository/repository.js';

/** Compiles the WASM module of firmware/test-modules/crashing.ts. */
export async function crashingFirmware(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(join(root, 'dist/firmware/crashing.wasm')));
}
