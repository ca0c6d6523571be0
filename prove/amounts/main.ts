// amounts: what the module that ships writes for amounts of all 64 bits and all decimals, and for times; then
// the same of copies with a changed constant, each of which must be refuted.
import { readFileSync } from 'node:fs';
import {
  functionIndex,
  type Instruction,
  NAMED_MODULE,
  readModule,
  type WasmModule,
} from '../wasm/module.js';
import { NotShown } from './digits.js';
import { AmountProof } from './proof.js';
import { changedCalendars, compareTimes } from './times.js';

/** What shows that the constants of a function are right. */
const PROOFS: Record<string, 'proveDecimal' | 'proveSigned' | 'proveScaled' | 'proveSum'> = {
  putDecimal: 'proveDecimal',
  putSignedDecimal: 'proveSigned',
  putFraction: 'proveScaled',
  putScaled: 'proveScaled',
  putCoinSum: 'proveSum',
};

/**
 * Constants that make no difference: what a literal's character beyond its end would be; that a point or a
 * minus did not fit, which the digit behind it says too; the first of 20 digits of a fraction.
 */
function isIdle(name: string, { op, value }: Instruction, next: string): boolean {
  if (op === 'i32.const' && value === -1n) return true;
  const isFlag = /^put(Fraction|SignedDecimal)$/.test(name) && value === 1n && next === 'i32.store8';
  return isFlag || (name === 'putFraction' && value === 0n && next === 'i32.ge_s');
}

/** Copies in which one constant is one more. */
function* changed(module: WasmModule): Generator<[name: string, place: string, module: WasmModule]> {
  for (const name of Object.keys(PROOFS)) {
    const index = functionIndex(module, name);
    const { code } = module.functions[index]!;
    for (const [at, each] of code.entries()) {
      if (!each.op.endsWith('.const') || isIdle(name, each, code[at + 1]!.op)) continue;
      const functions = module.functions.map((one, i) =>
        i === index ? { ...one, code: one.code.with(at, { ...each, value: each.value + 1n }) } : one,
      );
      yield [name, `${name}:${at}`, { ...module, functions }];
    }
  }
}

const module = readModule();
const proof = new AmountProof(module);
proof.proveDecimal();
proof.proveSigned();
proof.proveScaled();
proof.proveSum();
console.log(`amounts of all 64 bits, 0 to 18 decimals, and sums of three: ${proof.paths} paths`);
console.log(`${proof.accesses} accesses, each in its place`);
let refuted = 0;
for (const [name, place, copy] of changed(module)) {
  try {
    new AmountProof(copy)[PROOFS[name]!]();
    console.error(`${place} is not refuted`);
    process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof NotShown)) throw error;
    refuted++;
  }
}

const wasm = readFileSync(NAMED_MODULE);
console.log(
  `${await compareTimes(wasm)} times: each day up to the year 9999, each second of a day, and beyond`,
);
for (const [number, calendar] of changedCalendars(wasm)) {
  try {
    await compareTimes(calendar);
    console.error(`another number for ${number} is not refuted`);
    process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof NotShown)) throw error;
    refuted++;
  }
}
console.log(`planted faults: ${refuted} refuted`);
