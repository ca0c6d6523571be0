// build-named <shipped.wasm> <output.wasm> [target]: writes the shipped module with the names of its
// functions; fails if anything else differs from the sources. build-named --faults <file.wasm> <target>
// <name>...: builds copies of the sources with one planted fault each, as
// dist/native/faults/<name>/<file.wasm>. One process builds them, because only the first compilation is slow.
// build-named --sources <name>: writes only the sources of such a copy.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileAssembly } from '../../tools/build/compile-assembly.js';
import { plantFault } from './faults.js';
import { stripNames } from './strip-names.js';

async function buildShipped(shipped: string, output: string, target = 'release'): Promise<void> {
  const { wasm } = await compileAssembly('.', target, true);
  if (!stripNames(wasm).equals(stripNames(readFileSync(shipped)))) {
    throw new Error(`${shipped} does not match the sources: build it first`);
  }
  writeFileSync(output, wasm);
}

function plantSources(fault: string): string {
  const root = join('dist/native/faults', fault);
  rmSync(root, { recursive: true, force: true });
  for (const directory of ['firmware', 'protocol'])
    cpSync(directory, join(root, directory), {
      recursive: true,
      dereference: true,
      preserveTimestamps: true,
    });
  plantFault(root, fault);
  return root;
}

async function buildFaulty(file: string, target: string, fault: string): Promise<void> {
  const root = plantSources(fault);
  writeFileSync(join(root, file), (await compileAssembly(root, target, true)).wasm);
}

const [first, second, third, ...faults] = process.argv.slice(2) as [string, string, string];
if (first === '--sources') plantSources(second);
else if (first === '--faults') for (const fault of faults) await buildFaulty(second, third, fault);
else await buildShipped(first, second, third);
