// Runs the proofs of the arithmetic, in an order in which each can use earlier results.
import type { WasmModule } from '../wasm/module.js';
import { Comb } from './comb.js';
import { FieldFunctions, OPERAND } from './field-functions.js';
import { PointFunctions } from './point-functions.js';
import { ScalarFunctions } from './scalar-functions.js';

interface Tally {
  /** Number of sums, products and shifts shown to stay within their type. */
  rangeChecks: number;
  /** Number of bits of the largest result, by type. */
  peaks: { i32: number; i64: number };
  /**
   * Number of calls of field functions whose operands were shown to be within bounds, and of paths through the
   * verification of a new signature.
   */
  calls: number;
  paths: number;
}

export type Stage = 'field' | 'scalar' | 'comb' | 'point';

/** Small and large challenges for the multiplication in verification. */
const CHALLENGES = [
  1n,
  2n,
  15n,
  16n,
  31n,
  33n,
  2n ** 252n - 1n,
  2n ** 252n,
  0x5555n << 200n,
  0xffffffffn << 100n,
];

function proveField(module: WasmModule): FieldFunctions {
  const field = new FieldFunctions(module);
  for (const name of ['multiplyField', 'squareField', 'squareFieldTwice', 'addField', 'subtractField']) {
    field.prove(name, [OPERAND, OPERAND]);
  }
  field.proveAddAndSubtract(OPERAND);
  field.proveNegate(OPERAND);
  field.proveDecode();
  return field;
}

/** Yields CHALLENGES, then 200 pseudo-random numbers that are the same in each run. */
function* numbers(): Generator<bigint> {
  yield* CHALLENGES;
  for (let state = 1n, i = 0; i < 200; i++) {
    state =
      (state * 6364136223846793005n * 2n ** 64n + 0x9e3779b97f4a7c15f39cc0605cedc834n) % (2n ** 252n + 1n);
    yield state;
  }
}

/**
 * Runs the proofs; throws a NotProved, or an error of the module's code. With `only`, stages that a planted
 * fault does not concern are omitted.
 */
export function proveArithmetic(module: WasmModule, only?: Stage): Tally {
  const field = only === 'scalar' || only === 'comb' ? new FieldFunctions(module) : proveField(module);
  if (!only || only === 'scalar') new ScalarFunctions(module).proveAll();
  const tally = { rangeChecks: 0, peaks: { i32: 0, i64: 0 }, calls: 0, paths: 0 };
  const points = new PointFunctions(module, field);
  if (!only || only === 'field' || only === 'point') field.proveEncode(points.encodable);
  if (!only || only === 'comb' || only === 'point') {
    const comb = new Comb(module);
    const { addEntry, sumAddress, entryBounds } = comb.proveSum(comb.proveDigits());
    points.sumAddress = sumAddress;
    for (const challenge of numbers()) points.runMultiplyPoint(challenge);
    points.proveExponents();
    points.proveFormulas(addEntry, sumAddress);
    points.proveBounds(addEntry, sumAddress, entryBounds);
    Object.assign(tally, { calls: points.calls, paths: points.paths });
  }
  tally.rangeChecks = field.checks;
  for (const type of ['i32', 'i64'] as const) tally.peaks[type] = field.peaks[type].toString(2).length;
  return tally;
}
