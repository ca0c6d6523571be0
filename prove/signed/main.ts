// signed: proves the data that the shipped module hashes and signs, for all accounts, lengths and bytes. Then
// refutes each copy of the module with a planted fault.
import { refutationOf, runControls } from '../control.js';
import { withSolver } from '../symbolic/solver.js';
import { readModule, type WasmModule } from '../wasm/module.js';
import { PROOFS, type Proof, plantFaults } from './faults.js';
import { type Layout, readLayout, SigningProof } from './proof.js';

function prove(of: WasmModule, layout: Layout, names: readonly Proof[]): SigningProof {
  return withSolver(solver => {
    const proof = new SigningProof(of, layout, solver);
    for (const name of names) proof[name]();
    return proof;
  });
}

const module = readModule();
const layout = readLayout(module);
const { paths, reviews, approvals, signatures } = prove(module, layout, PROOFS);
if (reviews === 0 || approvals === 0 || signatures === 0)
  throw new Error('no path leads to a review, an approval or a signature');
console.log(
  `${paths} paths: ${reviews} to a review, ${approvals} to an approval, ${signatures} to a signature`,
);
await runControls(
  plantFaults(module, layout).map(({ name, module: changed, proof }) => [
    name,
    () => refutationOf(() => prove(changed, layout, [proof])),
  ]),
);
