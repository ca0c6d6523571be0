// Finds the addresses that drawing uses. Those of buffers are found in the module's own code. Those of tables
// follow from the sources (firmware/assembly/screen/glyphs/font.ts, review/items.ts, screen/flow.ts). If
// an address is wrong, the proofs fail.
import { FRAME_LENGTH } from '@zbc-signer/protocol/limits';
import { POSITION_SIZE, readLayout as readAmounts } from '../amounts/layout.js';
import { readLayout as readParser } from '../symbolic/layout.js';
import { numbersIn, type WasmModule } from '../wasm/module.js';
import { type Place, readable, writable } from '../wasm/places.js';

/** Number of characters in the two fonts, from the space on; the font for values also has two marks. */
const TITLE_CHARACTERS = 95;
const VALUE_CHARACTERS = 97;
export const TITLE_HEIGHT = 8;
export const VALUE_HEIGHT = 12;
export const VALUE_WIDTH = 6;
export const COLUMNS = 21;
export const TITLE_LENGTH = 40;
/** Offsets within an item, and within a position. */
export const ITEM = { title: 0, value: 4, length: 8, large: 12, inverse: 13 };
export const POSITION = { item: 0, page: 4, pages: 8 };

const STRING_HEADER = 20;
const STRING_ID = 2;

export interface Layout {
  frame: number;
  title: number;
  line: number;
  widths: number;
  titleGlyphs: number;
  valueGlyphs: number;
  position: number;
  items: number;
}

export function readLayout(module: WasmModule): Layout {
  const named = (name: string) => numbersIn(module, name);
  const { payload } = readParser(module);
  const title = named('drawItemPage').find(value => value > payload)!;
  const line = named('page/drawUnderTitle').find(value => value > title && value < title + 2 * TITLE_LENGTH);
  const frame = named('review/draw').find((_, i, all) => all[i + 2] === FRAME_LENGTH)!;
  const widths = frame + FRAME_LENGTH + 1;
  const titleGlyphs = widths + TITLE_CHARACTERS;
  const { items } = readAmounts(module);
  return {
    frame,
    title,
    line: line ?? title + TITLE_LENGTH,
    widths,
    titleGlyphs,
    valueGlyphs: titleGlyphs + TITLE_CHARACTERS * TITLE_HEIGHT,
    position: items - POSITION_SIZE,
    items,
  };
}

/** Tables that drawing reads. */
export function tables({ widths, titleGlyphs, valueGlyphs }: Layout): Place[] {
  return [
    readable(widths, TITLE_CHARACTERS),
    readable(titleGlyphs, TITLE_CHARACTERS * TITLE_HEIGHT),
    readable(valueGlyphs, VALUE_CHARACTERS * VALUE_HEIGHT),
  ];
}

/** Memory that drawing may write. */
export function canvas({ frame, title }: Layout): Place[] {
  return [writable(frame, FRAME_LENGTH + 1), writable(title, TITLE_LENGTH)];
}

/** A literal of the sources, by its address. */
export interface Literal {
  address: number;
  text: string;
  place: Place;
}

/** Literals that page numbers may follow. */
export function titlesOf(literals: readonly Literal[]): Literal[] {
  return literals.filter(({ text }) => text.length <= TITLE_LENGTH - ' (513/513)'.length);
}

/** Literals that may be lines. */
export function linesOf(literals: readonly Literal[]): Literal[] {
  return literals.filter(({ text }) => text.length <= COLUMNS);
}

/** Returns all literals in the module's code. */
export function readLiterals(module: WasmModule): Literal[] {
  const { memory } = module;
  const word = (at: number) => new DataView(memory.buffer, memory.byteOffset).getUint32(at, true);
  const found = new Map<number, Literal>();
  for (const { code } of module.functions)
    for (const { op, value } of code) {
      const address = Number(value);
      if (op !== 'i32.const' || address < STRING_HEADER || address % 16 !== 0 || address >= memory.length)
        continue;
      if (word(address - 8) !== STRING_ID) continue;
      const length = word(address - 4);
      const bytes = memory.subarray(address, address + length);
      if (
        length % 2 === 1 ||
        bytes.some((each, i) => (i % 2 === 1 ? each !== 0 : each < 0x20 || each > 0x7e))
      )
        continue;
      const text = Buffer.from(bytes).toString('utf16le');
      found.set(address, {
        address,
        text,
        place: readable(address - STRING_HEADER, STRING_HEADER + length),
      });
    }
  return [...found.values()].sort((a, b) => a.address - b.address);
}
