// hashes: proves the hash functions and key derivation of the shipped module for all inputs. Then refutes
// each copy of the module with a planted fault.
import { runControls } from '../control.js';
import { readModule } from '../wasm/module.js';
import { faultsOf } from './faults.js';
import { HashProof } from './proof.js';

const module = readModule();
const keystore = readModule('dist/native/keystore.wasm');
const proof = new HashProof(module);
proof.proveSha512Block();
console.log('SHA-512 compresses every block into every state as FIPS 180-4 requires');
proof.proveKeccak();
console.log('SHA-3 permutes every state as FIPS 202 requires');
proof.proveSha512();
proof.proveSha3();
console.log(
  `hashes are right for messages of all lengths, in any pieces: ${proof.tally.passes} passes of updates`,
);
proof.proveDerivation();
console.log("keys of m/44'/883'/index' are right for all seeds and indices; no byte of a seed remains");
const stretch = new HashProof(keystore);
stretch.provePbkdf2();
console.log('PBKDF2 is that of RFC 8018 for phrases, PINs and salts of all lengths and bytes');
console.log(`${proof.tally.accesses + stretch.tally.accesses} accesses, each within its buffer`);
console.log(`planted faults: ${await runControls(faultsOf(module, keystore), false)} refuted`);
