// described: the items of every transaction in every setting, of the module that ships; then the same of
// copies with a planted fault, each of which must be refuted.
import { NotShown } from '../symbolic/paths.js';
import { Solver } from '../symbolic/solver.js';
import { readModule, type WasmModule } from '../wasm/module.js';
import { plantFaults } from './faults.js';
import { DescriptionProof, type Layout, readLayout } from './proof.js';

function prove(of: WasmModule, layout: Layout, longestSymbol?: number): DescriptionProof {
  const solver = new Solver();
  try {
    const proof = new DescriptionProof(of, layout, solver);
    proof.prove(longestSymbol);
    return proof;
  } finally {
    solver.close();
  }
}

const module = readModule();
const layout = readLayout(module);
const { paths, items } = prove(module, layout);
if (items === 0) throw new Error('nothing is described');
console.log(`${paths} paths, on which ${items} items are those of the table, in its order`);
for (const [name, changed] of plantFaults(module, layout)) {
  try {
    prove(changed, layout, 0);
    console.error(`${name} is not refuted`);
    process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof NotShown)) throw error;
    console.log(`${`${name}:`.padEnd(56)}${error.message}`);
  }
}
