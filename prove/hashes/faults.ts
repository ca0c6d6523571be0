// Constants of the hash functions and of derivation, each changed in a copy of the module: its proof must
// fail.

import { NotShown } from '../symbolic/paths.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import { HashProof } from './proof.js';
import { NotEqual } from './word-domain.js';

type Proof = 'proveSha512Block' | 'proveKeccak' | 'proveSha512' | 'proveSha3' | 'proveDerivation';

interface Fault {
  name: string;
  module: WasmModule;
  proof: Proof;
}

/** Constants by function: which instruction they belong to, and every how many of them is changed. */
const CONSTANTS: [name: string, user: RegExp, every: number, proof: Proof][] = [
  ['runSha512Rounds', /rotr/, 12, 'proveSha512Block'],
  ['hashBlock', /rotr|shr_u/, 3, 'proveSha512Block'],
  ['permuteKeccak', /rotl/, 8, 'proveKeccak'],
  ['sha512Update', /ge_s|sub/, 1, 'proveSha512'],
  ['sha512Final', /gt_s|shl/, 1, 'proveSha512'],
  ['sha3Update', /\.eq$|lt_s/, 1, 'proveSha3'],
  ['deriveChild', /i32\.sub|rot/, 1, 'proveDerivation'],
  ['openKey', /call/, 1, 'proveDerivation'],
];

/** The two words that keys of HMAC are changed by. */
const PADS = [0x36363636n, 0x6a6a6a6an];

/** Words of tables whose lowest bit is flipped. */
const TABLES: [word: bigint, proof: Proof][] = [
  [0x428a2f98d728ae22n, 'proveSha512Block'],
  [0x6c44198c4a475817n, 'proveSha512Block'],
  [0x5be0cd19137e2179n, 'proveDerivation'],
  [0x8000000080008008n, 'proveKeccak'],
];

function withConstant(module: WasmModule, index: number, at: number): WasmModule {
  const functions = module.functions.map((each, i) => {
    if (i !== index) return each;
    const code = each.code.map((one, j) => (j === at ? { ...one, value: one.value + 1n } : one));
    return { ...each, code };
  });
  return { ...module, functions };
}

function withTable(module: WasmModule, word: bigint): WasmModule {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(word);
  const memory = Buffer.from(module.memory);
  const at = memory.indexOf(bytes);
  memory[at]! ^= 1;
  return { ...module, memory };
}

function* plant(module: WasmModule): Generator<Fault> {
  for (const [name, user, every, proof] of CONSTANTS) {
    const index = functionIndex(module, name);
    const { code } = module.functions[index]!;
    const places = code.flatMap(({ op }, at) =>
      op.endsWith('.const') && user.test(code[at + 1]!.op) ? [at] : [],
    );
    for (const at of places.filter((_, i) => i % every === 0))
      yield { name: `${name}:${at}`, module: withConstant(module, index, at), proof };
  }
  const hmac = functionIndex(module, 'computeHmac');
  for (const pad of PADS) {
    const at = module.functions[hmac]!.code.findIndex(({ value }) => value === pad);
    yield { name: `computeHmac:${at}`, module: withConstant(module, hmac, at), proof: 'proveDerivation' };
  }
  for (const [word, proof] of TABLES)
    yield { name: `the table word ${word.toString(16)}`, module: withTable(module, word), proof };
}

/** How many planted faults are refuted; the names of those that are not. */
export function tryFaults(module: WasmModule): { refuted: number; survivors: string[] } {
  let refuted = 0;
  const survivors: string[] = [];
  for (const { name, module: changed, proof } of plant(module)) {
    try {
      new HashProof(changed)[proof]();
      survivors.push(name);
    } catch (error) {
      if (!(error instanceof NotEqual || error instanceof NotShown)) throw error;
      refuted++;
    }
  }
  return { refuted, survivors };
}
