// Makes copies of the module, in each of which one constant of the code that draws, pages, or formats
// hexadecimal numbers or account addresses is changed.
import { type Constant, constantsOf } from '../wasm/edit.js';
import type { WasmModule } from '../wasm/module.js';
import type { Characters } from './characters.js';
import type { Drawing } from './drawing.js';
import { proveLines, provePlainPages, proveRows } from './lines.js';
import { proveCountPages, proveNextPage, provePageStarts } from './paging.js';
import { proveArrows, proveArrowsOfPages, proveLarge, proveTitles } from './titles.js';

type Proof = (drawing: Drawing, characters: Characters) => void;

/** Proofs that check a function, the cheapest first. They are limited to some titles and pages. */
const PROOFS: Record<string, Proof[]> = {
  drawRow: [proveRows],
  'page/drawLines': [proveLines],
  drawItemPage: [
    drawing => provePageStarts(drawing, 4),
    drawing =>
      proveTitles(
        drawing,
        drawing.titles().filter((_, i) => i % 16 === 15),
      ),
    proveLarge,
    proveArrowsOfPages,
  ],
  drawArrows: [proveArrows],
  drawUnderTitle: [provePlainPages],
  nextPage: [proveNextPage],
  countPages: [proveCountPages],
  putHex: [(_, characters) => characters.proveHexadecimal()],
  formatAddress: [(_, characters) => characters.proveAddress()],
};

interface Fault {
  place: string;
  module: WasmModule;
  proofs: readonly Proof[];
  /** Whether the fault may have no effect. */
  isIdle: boolean;
}

/**
 * Constants that may have no effect, by function, value and following instruction:
 *
 * - the step through a literal, if it has only one character;
 * - unset bits of a glyph, the lowest bit of a cell, and empty rows of the line feed's mark;
 * - bytes that a left arrow does not reach;
 * - half of an odd width;
 * - the check that a digit fits, which the check of the next digit repeats;
 * - one more byte of a hash, after the bytes that are read.
 */
const MAY_BE_IDLE: readonly [name: string, value: bigint, next: RegExp][] = [
  ['drawItemPage', 1n, /shl|add/],
  ['drawItemPage', 128n, /local.get/],
  ['drawItemPage', 0n, /local.set/],
  ['drawItemPage', 8n, /lt_s/],
  ['page/drawLines', 0xfc0000n, /local.get/],
  ['page/drawLines', 0n, /local.set/],
  ['page/drawLines', 12n, /lt_s/],
  ['drawArrows', 3n, /shr_s/],
  ['drawArrows', 8n, /shr_u/],
  ['drawUnderTitle', 128n, /local.get/],
  ['putHex', 1n, /store8/],
  ['formatAddress', 3n, /memory.copy/],
];

/**
 * Returns whether the change of a constant may have no effect. Besides the constants in MAY_BE_IDLE, this is
 * true of two: the value for a character beyond a literal's end, and the mask that decides whether a byte
 * that a small glyph does not reach is also written.
 */
function mayBeIdle(name: string, { value, next }: Constant): boolean {
  if (value === -1n || (value === 255n && next === 'i32.and')) return true;
  return MAY_BE_IDLE.some(([of, number, behind]) => of === name && number === value && behind.test(next));
}

/** Copies in which one constant is increased by one. */
export function* changed(module: WasmModule): Generator<Fault> {
  for (const [name, proofs] of Object.entries(PROOFS))
    for (const constant of constantsOf(module, name)) {
      const isIdle = mayBeIdle(name, constant);
      yield { place: `${name}:${constant.at}`, module: constant.raised(), proofs, isIdle };
    }
}
