// described: proves the items of every transaction in every setting, in the shipped module. Then refutes each
// copy of the module with a planted fault.
import { refutationOf, runControls } from '../control.js';
import { withSolver } from '../symbolic/solver.js';
import { readModule } from '../wasm/module.js';
import { plantFaults } from './faults.js';
import { DescriptionProof, readLayout } from './proof.js';

const module = readModule();
const layout = readLayout(module);
const { paths, items } = withSolver(solver => {
  const proof = new DescriptionProof(module, layout, solver);
  proof.prove();
  proof.proveMessage();
  proof.proveAddress();
  proof.proveContact();
  proof.proveTexts();
  proof.proveNetworks();
  proof.proveAccounts();
  return proof;
});
if (items === 0) throw new Error('the proof compared no items');
console.log(`${paths} paths; all ${items} items on them equal those of the table, in its order`);

// Each fault is refuted without symbols of tokens, and without items before a text.
await runControls(
  plantFaults(module, layout).map(([name, changed, proof]) => [
    name,
    () => refutationOf(() => withSolver(solver => new DescriptionProof(changed, layout, solver)[proof](0))),
  ]),
);
