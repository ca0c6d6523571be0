// Builds the firmware and the module that tests its cryptography, and refuses a firmware that breaks the platform's rules.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileAssembly } from './compile-assembly.js';
import { findFaults, inspectWasm } from './inspect-wasm.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const output = join(root, 'dist/firmware');

const MAX_MODULE = 65536;
const MAX_STATIC = 24576;

async function build(entry: string, name: string): Promise<string[]> {
  const { wasm, staticSize, allocatorFunctions } = await compileAssembly(root, entry);
  writeFileSync(join(output, name), wasm);
  console.log(`${name}: ${wasm.length} bytes, ${staticSize} bytes of static memory`);
  const faults = findFaults(inspectWasm(wasm));
  faults.push(...allocatorFunctions.map(name => `it holds ${name} of an allocator`));
  if (wasm.length > MAX_MODULE) faults.push(`it is longer than ${MAX_MODULE} bytes`);
  if (staticSize > MAX_STATIC) faults.push(`its static memory is more than ${MAX_STATIC} bytes`);
  return faults.map(fault => `${name} may not ship: ${fault}`);
}

mkdirSync(output, { recursive: true });
const faults = await build('firmware/test-modules/crypto.ts', 'crypto.wasm');
faults.push(...(await build('firmware/assembly/index.ts', 'zbc-signer.wasm')));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
