// described: the items of every transaction in every setting, in the shipped module; then the same for copies
// with a planted fault, each of which must be refuted.
import { control, refutationOf } from '../control.js';
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
if (items === 0) throw new Error('nothing is described');
console.log(`${paths} paths, on which ${items} items are those of the table, in its order`);
await control(
  plantFaults(module, layout).map(([name, changed]) => [
    name,
    () => refutationOf(() => prove(changed, layout, 0)),
  ]),
);
