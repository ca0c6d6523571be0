// hashes: the hash functions and key derivation of the shipped module, for all inputs; then the same for
// copies with a planted fault, each of which must be refuted.
import { control } from '../control.js';
import { readModule } from '../wasm/module.js';
import { faultsOf } from './faults.js';
import { HashProof } from './proof.js';

const module = readModule();
const proof = new HashProof(module);
proof.proveSha512Block();
console.log('SHA-512 compresses every block into every state as FIPS 180-4 says');
proof.proveKeccak();
console.log('SHA-3 permutes every state as FIPS 202 says');
proof.proveSha512();
proof.proveSha3();
console.log(`hashes of messages of all lengths, in any pieces: ${proof.tally.passes} passes of updates`);
proof.proveDerivation();
console.log("keys of m/44'/883'/index' from all seeds, for all indices; nothing of a seed stays");
console.log(`${proof.tally.accesses} accesses, each in its place`);
console.log(`planted faults: ${await control(faultsOf(module), false)} refuted`);
