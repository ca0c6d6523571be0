// Proves the arithmetic of the shipped module for all inputs, and then refutes mutated copies of the module.
import { u32 } from '../../testkit/crypto/little-endian.js';
import { failureOf, runControls, type Trial } from '../control.js';
import { constantsOf } from '../wasm/edit.js';
import { functionIndex, readModule, type WasmModule } from '../wasm/module.js';
import { D, L, littleEndian, modulo } from './curve.js';
import { proveArithmetic, type Stage } from './proof.js';

function fault(name: string, stage: Stage, module: WasmModule): Trial {
  return [name, () => failureOf(() => proveArithmetic(module, stage))];
}

const FUNCTIONS: Record<string, Stage> = {
  multiplyField: 'field',
  squareField: 'field',
  squareFieldTwice: 'field',
  decodeField: 'field',
  encodeField: 'field',
  multiplyMontgomery: 'scalar',
  subtractOrderOnce: 'scalar',
  addScalar: 'scalar',
  reduceScalar: 'scalar',
};

/**
 * Half units of a limb, which rounding adds. With another number the result is correct too, so a change of
 * these constants is not a fault.
 */
const ROUNDING = [2n ** 24n, 2n ** 25n];

function withBit(module: WasmModule, address: number, bit: number): WasmModule {
  const memory = module.memory.slice();
  memory[address] = memory[address]! ^ (1 << bit);
  return { ...module, memory };
}

/** Increases every constant of each of FUNCTIONS by one. */
function* constants(module: WasmModule): Generator<Trial> {
  for (const [name, stage] of Object.entries(FUNCTIONS)) {
    const { code } = module.functions[functionIndex(module, name)]!;
    for (const { at, value, raised } of constantsOf(module, name)) {
      if (ROUNDING.includes(value)) continue;
      // multiplyMontgomery discards the first word that it clears, so clearing one byte less is not a fault.
      if (name === 'multiplyMontgomery' && at === 0) continue;
      // reduceScalar then stores 1 at the address that it cleared, so clearing one byte more is not a fault.
      const clears = [at + 1, at + 3].some(place => code[place]?.op === 'memory.fill');
      if (name === 'reduceScalar' && clears) continue;
      yield fault(`${name}: ${value}`, stage, raised());
    }
  }
}

/** Flips one bit in each table. */
function* tables(module: WasmModule): Generator<Trial> {
  const memory = Buffer.from(module.memory);
  const numbers: [string, Stage, bigint][] = [
    ['the group order', 'scalar', L],
    ['2^255 − 1 modulo the order', 'comb', (2n ** 255n - 1n) % L],
    ['2^512 modulo the order', 'scalar', 2n ** 512n % L],
  ];
  for (const [name, stage, value] of numbers) {
    yield fault(name, stage, withBit(module, memory.indexOf(littleEndian(value)) + 5, 3));
  }
  // In memory, the comb table is directly before the group order L.
  const comb = memory.indexOf(littleEndian(L)) - 96 * 48;
  for (const entry of [0, 17, 47]) {
    yield fault(`entry ${entry} of the comb`, 'comb', withBit(module, comb + 96 * entry + 40, 6));
  }
  for (const [name, value] of Object.entries({ d: D, '2d': modulo(2n * D) })) {
    const at = memory.indexOf(u32(Number(value & 0x3ffffffn)), 16000);
    yield fault(name, 'point', withBit(module, at + 4, 1));
  }
}

/** Increases some constants of the functions that call the field functions: addresses, counts and masks. */
function* above(module: WasmModule): Generator<Trial> {
  const chosen: [string, Stage, number[]][] = [
    ['raiseTo250Ones', 'point', [4, 15]],
    ['combine', 'point', [1, 4]],
    ['finish', 'point', [0, 2]],
    ['doublePoint', 'point', [2, 5]],
    ['prepareMultiple', 'point', [0, 5]],
    ['multiplyBase', 'comb', [1, 2, 30, 31]],
  ];
  for (const [name, stage, places] of chosen) {
    const found = constantsOf(module, name).filter(({ op }) => op === 'i32.const');
    for (const place of places) {
      const { value, raised } = found[place]!;
      if (value === 16n) continue; // 16 is the first row, where one more doubling of the neutral point has no effect
      yield fault(`${name}: ${value}`, stage, raised());
    }
  }
}

const module = readModule();
const { rangeChecks, peaks, calls, paths } = proveArithmetic(module);
console.log(
  `field, scalar and point functions proved for all inputs: ${rangeChecks} range checks, largest i32 of ` +
    `${peaks.i32} bits and i64 of ${peaks.i64}; ${calls} calls within bounds, ${paths} paths of the verification`,
);

const trials = [...constants(module), ...tables(module), ...above(module)];
const refuted = await runControls(trials, false);
console.log(`${refuted} planted faults refuted`);
if (refuted < 20) process.exitCode = 1;
