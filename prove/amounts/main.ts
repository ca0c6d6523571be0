// Proves the text that the shipped module writes for every 64-bit amount with any number of decimals, and for
// times. Then changes one constant at a time: each changed copy must be refuted.
import { readFileSync } from 'node:fs';
import { refutationOf, runControls, type Trial } from '../control.js';
import { type Constant, constantsOf } from '../wasm/edit.js';
import { NAMED_MODULE, readModule, type WasmModule } from '../wasm/module.js';
import { AmountProof } from './proof.js';
import { changedCalendars, compareTimes } from './times.js';

/** The method of AmountProof that must refute a changed constant, by the function with the constant. */
const PROOFS: Record<string, 'proveDecimal' | 'proveSigned' | 'proveScaled' | 'proveSum'> = {
  putDecimal: 'proveDecimal',
  putSignedDecimal: 'proveSigned',
  putFraction: 'proveScaled',
  putScaled: 'proveScaled',
  putCoinSum: 'proveSum',
};

/**
 * Returns whether changing a constant has no effect. There are three such constants: the value that stands
 * for a character beyond a literal's end, the check that a point or a minus fits, which the check of the next
 * digit repeats, and the first of the 20 digits of a fraction.
 */
function isIdle(name: string, { op, value, next }: Constant): boolean {
  if (op === 'i32.const' && value === -1n) return true;
  const isFlag = /^put(Fraction|SignedDecimal)$/.test(name) && value === 1n && next === 'i32.store8';
  return isFlag || (name === 'putFraction' && value === 0n && next === 'i32.ge_s');
}

function* faultsOf(module: WasmModule, wasm: Uint8Array): Generator<Trial> {
  for (const [name, prove] of Object.entries(PROOFS))
    for (const constant of constantsOf(module, name)) {
      if (isIdle(name, constant)) continue;
      yield [`${name}:${constant.at}`, () => refutationOf(() => new AmountProof(constant.raised())[prove]())];
    }
  for (const [number, calendar] of changedCalendars(wasm))
    yield [`a calendar with a changed ${number}`, () => refutationOf(() => compareTimes(calendar))];
}

const module = readModule();
const proof = new AmountProof(module);
proof.proveDecimal();
proof.proveSigned();
proof.proveScaled();
proof.proveSum();
console.log(`all 64-bit amounts with 0 to 18 decimals, and all sums of three amounts: ${proof.paths} paths`);
console.log(`${proof.accesses} accesses, each within its buffer`);
const wasm = readFileSync(NAMED_MODULE);
console.log(
  `${compareTimes(wasm)} times are right: each day up to the year 9999, each second of one day, and later times`,
);
console.log(`planted faults: ${await runControls(faultsOf(module, wasm), false)} refuted`);
