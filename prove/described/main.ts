// described: proves the items of every transaction in every setting, in the shipped module. Then refutes each
// copy of the module with a planted fault.
import { refutationOf, runControls } from '../control.js';
import { withSolver } from '../symbolic/solver.js';
import { readModule, type WasmModule } from '../wasm/module.js';
import { plantFaults } from './faults.js';
import { DescriptionProof, type Layout, readLayout } from './proof.js';

function prove(of: WasmModule, layout: Layout, longestSymbol?: number): DescriptionProof {
  return withSolver(solver => {
    const proof = new DescriptionProof(of, layout, solver);
    proof.prove(longestSymbol);
    proof.proveMessage();
    proof.proveAccounts();
    return proof;
  });
}

const module = readModule();
const layout = readLayout(module);
const { paths, items } = prove(module, layout);
if (items === 0) throw new Error('the proof compared no items');
console.log(`${paths} paths; all ${items} items on them equal those of the table, in its order`);
await runControls(
  plantFaults(module, layout).map(([name, changed]) => [
    name,
    () => refutationOf(() => prove(changed, layout, 0)),
  ]),
);
