// amounts: the shipped module's output for amounts of all 64 bits and all decimals, and for times; then the
// same for copies with a changed constant, each of which must be refuted.
import { readFileSync } from 'node:fs';
import { control, refutationOf, type Trial } from '../control.js';
import { type Constant, constantsOf } from '../wasm/edit.js';
import { NAMED_MODULE, readModule, type WasmModule } from '../wasm/module.js';
import { AmountProof } from './proof.js';
import { changedCalendars, compareTimes } from './times.js';

/** The proof that checks the constants of a function. */
const PROOFS: Record<string, 'proveDecimal' | 'proveSigned' | 'proveScaled' | 'proveSum'> = {
  putDecimal: 'proveDecimal',
  putSignedDecimal: 'proveSigned',
  putFraction: 'proveScaled',
  putScaled: 'proveScaled',
  putCoinSum: 'proveSum',
};

/**
 * Constants without an effect: characters beyond a literal's end; a check that a point or a minus fits, which
 * the digit after it repeats; the first of 20 digits of a fraction.
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
    yield [`another number for ${number}`, () => refutationOf(() => compareTimes(calendar))];
}

const module = readModule();
const proof = new AmountProof(module);
proof.proveDecimal();
proof.proveSigned();
proof.proveScaled();
proof.proveSum();
console.log(`amounts of all 64 bits, 0 to 18 decimals, and sums of three: ${proof.paths} paths`);
console.log(`${proof.accesses} accesses, each in its place`);
const wasm = readFileSync(NAMED_MODULE);
console.log(`${compareTimes(wasm)} times: each day up to the year 9999, each second of a day, and beyond`);
console.log(`planted faults: ${await control(faultsOf(module, wasm), false)} refuted`);
