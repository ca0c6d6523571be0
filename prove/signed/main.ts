// signed: the data that the shipped module hashes and signs, for all accounts, lengths and bytes; then the
// same for copies with a planted fault, each of which must be refuted.
import { control, refutationOf } from '../control.js';
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
const { paths, reviews, releases, signatures } = prove(module, layout, PROOFS);
if (reviews === 0 || releases === 0 || signatures === 0) throw new Error('nothing is reviewed or signed');
console.log(`${paths} paths: ${reviews} to a review, ${releases} to a release, ${signatures} to a signature`);
await control(
  plantFaults(module, layout).map(({ name, module: changed, proof }) => [
    name,
    () => refutationOf(() => prove(changed, layout, [proof])),
  ]),
);
