// Builds the firmware and the modules of its tests. Fails if the firmware breaks a rule of the platform
// interface.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CompiledModule, compileAssembly, outputFile } from './compile-assembly.js';
import { findFaults, inspectWasm } from './inspect-wasm.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The sizes in bytes that the boards allow each module (firmware/boards/flags.mk). */
const MOST = { module: 65536, memory: 24576 };
const MOST_OF_KEYSTORE = { module: 49152, memory: 16384 };

/**
 * Writes a module. An unchanged file is not written again, because images would be rebuilt for its new time.
 */
function writeModule(path: string, wasm: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(wasm)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, wasm);
}

/** Writes a target's module, and its text form next to it. */
async function write(target: string): Promise<CompiledModule> {
  const compiled = await compileAssembly(root, target);
  const path = join(root, await outputFile(target));
  writeModule(path, compiled.wasm);
  writeFileSync(path.replace(/\.wasm$/, '.wat'), compiled.text);
  return compiled;
}

async function writeFirmware(target: string): Promise<string[]> {
  const { wasm, staticSize, allocatorFunctions } = await write(target);
  const name = basename(await outputFile(target));
  console.log(`${name}: ${wasm.length} bytes, ${staticSize} bytes of static memory`);
  if (target === 'keystore' || target === 'release') writeFileSync(join(root, 'emulator/dist', name), wasm);
  const faults = findFaults(inspectWasm(wasm));
  faults.push(...allocatorFunctions.map(name => `it contains the allocator function ${name}`));
  const { module, memory } = target === 'keystore' ? MOST_OF_KEYSTORE : MOST;
  if (wasm.length > module) faults.push(`it is longer than ${module} bytes`);
  if (staticSize > memory) faults.push(`its static memory is more than ${memory} bytes`);
  return faults.map(fault => `${name} must not be shipped: ${fault}`);
}

const faults: string[] = [];
for (const target of ['verifier', 'crypto', 'keystore', 'release'])
  faults.push(...(await writeFirmware(target)));
for (const target of ['review', 'crashing']) await write(target);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
