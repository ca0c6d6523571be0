// Builds the firmware and the modules of its tests, and refuses a firmware that breaks the platform's rules.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CompiledModule, compileAssembly, outputFile } from './compile-assembly.js';
import { findFaults, inspectWasm } from './inspect-wasm.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const MAX_MODULE = 65536;
const MAX_STATIC = 24576;

/** Writes a target's module, and beside it the same as text. */
async function write(target: string): Promise<CompiledModule> {
  const compiled = await compileAssembly(root, target);
  const path = join(root, await outputFile(target));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, compiled.wasm);
  writeFileSync(path.replace(/\.wasm$/, '.wat'), compiled.text);
  return compiled;
}

/** The emulator has the signer's map too, from which it tells what of the sources a test reached. */
function writeForEmulator(name: string, wasm: Uint8Array, sourceMap?: string): void {
  const path = join(root, 'emulator/dist', name);
  writeFileSync(path, wasm);
  if (sourceMap !== undefined) writeFileSync(path.replace(/\.wasm$/, '.lines.json'), sourceMap);
}

async function writeFirmware(target: string): Promise<string[]> {
  const { wasm, staticSize, allocatorFunctions, sourceMap } = await write(target);
  const name = basename(await outputFile(target));
  console.log(`${name}: ${wasm.length} bytes, ${staticSize} bytes of static memory`);
  if (target === 'keystore') writeForEmulator(name, wasm);
  if (target === 'release') writeForEmulator(name, wasm, sourceMap);
  const faults = findFaults(inspectWasm(wasm));
  faults.push(...allocatorFunctions.map(name => `it holds ${name} of an allocator`));
  if (wasm.length > MAX_MODULE) faults.push(`it is longer than ${MAX_MODULE} bytes`);
  if (staticSize > MAX_STATIC) faults.push(`its static memory is more than ${MAX_STATIC} bytes`);
  return faults.map(fault => `${name} may not ship: ${fault}`);
}

const faults: string[] = [];
for (const target of ['verifier', 'crypto', 'keystore', 'release'])
  faults.push(...(await writeFirmware(target)));
for (const target of ['review', 'crashing']) await write(target);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
