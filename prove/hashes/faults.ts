// Changes constants of the hash functions and of derivation in copies of the module; each copy's proof must
// fail.

import { refutationOf, type Trial } from '../control.js';
import { constantsOf } from '../wasm/edit.js';
import type { WasmModule } from '../wasm/module.js';
import { HashProof } from './proof.js';

type Proof =
  | 'proveSha512Block'
  | 'proveKeccak'
  | 'proveSha512'
  | 'proveSha3'
  | 'proveDerivation'
  | 'provePbkdf2';

/**
 * The constants to change: those of a function that an instruction with this pattern uses. Every n-th of them
 * is changed, and the proof must fail.
 */
const CONSTANTS: [name: string, user: RegExp, every: number, proof: Proof][] = [
  ['runSha512Rounds', /rotr/, 12, 'proveSha512Block'],
  ['hashBlock', /rotr|shr_u/, 3, 'proveSha512Block'],
  ['permuteKeccak', /rotl/, 8, 'proveKeccak'],
  ['sha512Update', /ge_s|sub/, 1, 'proveSha512'],
  ['sha512Final', /gt_s|shl/, 1, 'proveSha512'],
  ['sha3Update', /\.eq$|lt_s/, 1, 'proveSha3'],
  ['deriveChild', /i32\.sub|rot/, 1, 'proveDerivation'],
  ['openKey', /call/, 1, 'proveDerivation'],
  ['setHmacKey', /gt_s/, 1, 'provePbkdf2'],
  ['beginPbkdf2', /xor|call/, 1, 'provePbkdf2'],
];

/** The two words that are xored with HMAC keys. */
const PADS = [0x36363636n, 0x6a6a6a6an];

/** Words of tables whose lowest bit is flipped. */
const TABLES: [word: bigint, proof: Proof][] = [
  [0x428a2f98d728ae22n, 'proveSha512Block'],
  [0x6c44198c4a475817n, 'proveSha512Block'],
  [0x5be0cd19137e2179n, 'proveDerivation'],
  [0x8000000080008008n, 'proveKeccak'],
];

function withTable(module: WasmModule, word: bigint): WasmModule {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(word);
  const memory = Buffer.from(module.memory);
  const at = memory.indexOf(bytes);
  memory[at]! ^= 1;
  return { ...module, memory };
}

/** Returns each fault with its refutation. */
export function* faultsOf(module: WasmModule, keystore: WasmModule): Generator<Trial> {
  const fault = (name: string, changed: WasmModule, proof: Proof): Trial => [
    name,
    () => refutationOf(() => new HashProof(changed)[proof]()),
  ];
  for (const [name, user, every, proof] of CONSTANTS) {
    const used = constantsOf(proof === 'provePbkdf2' ? keystore : module, name).filter(({ next }) =>
      user.test(next),
    );
    for (const { at, raised } of used.filter((_, i) => i % every === 0))
      yield fault(`${name}:${at}`, raised(), proof);
  }
  for (const pad of PADS) {
    const { at, raised } = constantsOf(module, 'computeHmac').find(({ value }) => value === pad)!;
    yield fault(`computeHmac:${at}`, raised(), 'proveDerivation');
  }
  for (const [word, proof] of TABLES)
    yield fault(`a flipped bit of the table word ${word.toString(16)}`, withTable(module, word), proof);
}
