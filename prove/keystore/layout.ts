// Finds addresses in the keystore's module (firmware/keystore/state.ts, sha256.ts). If one is wrong, a proof
// fails.
import { readFileSync } from 'node:fs';
import { decodeModule, numbersIn, type WasmModule } from '../wasm/module.js';

/** End of all memory that the module writes. */
export const STATIC = 16384;

const FIELDS = {
  page: 0,
  index: 4,
  task: 8,
  step: 12,
  steps: 16,
  opened: 20,
  isBehind: 24,
  neverLocks: 25,
  purpose: 28,
  waits: 32,
  count: 36,
  method: 40,
  events: 44,
  half: 48,
  undone: 52,
  hasDevicePart: 53,
  word: 56,
  entered: 60,
  from: 64,
  size: 68,
  presses: 72,
  length: 76,
  hasNoise: 104,
  hasRecord: 107,
  claimedBits: 108,
} as const;
const BYTES = new Set(['isBehind', 'neverLocks', 'undone', 'hasDevicePart', 'hasNoise', 'hasRecord']);

export type Field = keyof typeof FIELDS;

// Named values of the fields (firmware/keystore/state.ts, pages.ts).
export const CREATE = 0x3c3c3c3c;
export const DICE = 0x0ff00ff0;
export const COINS = 0x33cc33cc;
const pageNumber = (number: number) => number * 0x01010101;
export const PAGES = {
  devicePart: pageNumber(9),
  event: pageNumber(10),
  recorded: pageNumber(11),
  words: pageNumber(13),
  range: pageNumber(18),
  keep: pageNumber(19),
  passphrase: pageNumber(20),
  passphraseShown: pageNumber(22),
};

/** Locations in a module, as addresses. */
export interface Layout {
  state: number;
  /** Size of everything that the seal covers. */
  stateSize: number;
  seed: number;
  part: number;
  record: number;
  entropy: number;
  words: number;
  passphrase: number;
  raw: number;
  sha256: { state: number; pending: number };
  /** Memory that is initially zero and is not part of the state. It is work space, unused between two events. */
  spare: [start: number, end: number][];
}

export const fieldAt = ({ state }: Layout, field: Field) => state + FIELDS[field];
export const widthOf = (field: Field) => (BYTES.has(field) ? 1 : 4);

export function readKeystore(path: string): { module: WasmModule; layout: Layout } {
  const module = decodeModule(readFileSync(path));
  const [state, end] = numbersIn(module, 'keystore/index/locked') as [number, number];
  const sha256 = numbersIn(module, 'sha256/sha256Final');
  const pending = sha256[1]!;
  const stateSize = end - state;
  return {
    module,
    layout: {
      state,
      stateSize,
      seed: state + 112,
      part: state + 240,
      entropy: state + 304,
      record: state + 448,
      words: state + 704,
      passphrase: state + 752,
      raw: state + 448,
      sha256: { state: pending - 32, pending },
      spare: spareOf(module.memory, state, end),
    },
  };
}

/** Runs of zeros in the initial memory that are long enough to be work space, outside the state. */
function spareOf(memory: Uint8Array, state: number, end: number): [number, number][] {
  const runs: [number, number][] = [];
  for (let at = 0; at < STATIC; at++) {
    if (memory[at] !== 0 || (at >= state && at < end)) continue;
    const last = runs.at(-1);
    if (last?.[1] === at) last[1] = at + 1;
    else runs.push([at, at + 1]);
  }
  return runs.filter(([start, stop]) => stop - start >= 72).map(([start, stop]) => [start + 8, stop - 8]);
}
