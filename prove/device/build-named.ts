// build-named <shipped.wasm> <entry> <output.wasm>: the module that ships, with its functions' names; refuses if anything else differs.
// build-named --fault <name> <entry> <output.wasm>: the same from sources with a planted fault.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileAssembly } from '../../tools/compile-assembly.js';
import { plantFault } from './faults.js';
import { stripNames } from './strip-names.js';

async function buildShipped(shipped: string, entry: string, output: string): Promise<void> {
  const { wasm } = await compileAssembly('.', entry, true);
  if (!stripNames(wasm).equals(stripNames(readFileSync(shipped)))) {
    throw new Error(`${shipped} is not what ${entry} compiles to: build it first`);
  }
  writeFileSync(output, wasm);
}

async function buildFaulty(fault: string, entry: string, output: string): Promise<void> {
  const root = join('dist/native/faults', fault);
  rmSync(root, { recursive: true, force: true });
  for (const folder of ['firmware', 'protocol'])
    cpSync(folder, join(root, folder), { recursive: true, dereference: true });
  plantFault(root, fault);
  writeFileSync(output, (await compileAssembly(root, entry, true)).wasm);
}

const [first, second, entry, output] = process.argv.slice(2) as [string, string, string, string];
if (first === '--fault') await buildFaulty(second, entry, output);
else await buildShipped(first, second, entry);
