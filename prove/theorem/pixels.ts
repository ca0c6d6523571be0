// Proves that the cells of values, and the titles of reviews, differ in the module's two fonts.
import { SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { UnprovenClaim } from '../control.js';
import { COLUMNS, readLayout, TITLE_HEIGHT, VALUE_HEIGHT, VALUE_WIDTH } from '../pages/layout.js';
import type { WasmModule } from '../wasm/module.js';
import type { Shape } from './grammar.js';

const SPACE = 0x20;
const MARGIN = 1;
/** Number of characters from the space to the tilde, and of the marks of a line feed and of a space. */
const CELLS = 97;
const MARKS = ['the mark of a line feed', 'the mark of a space'];
/**
 * Bits of a glyph's byte that belong to a cell, and its last column, where the hook of a line feed may be.
 */
const CELL = 0xfc;
const LAST_COLUMN = 0x04;

const nameOf = (cell: number) => MARKS[cell - CELLS + MARKS.length] ?? String.fromCharCode(SPACE + cell);

/**
 * Proves that no two cells of a line, including inverse cells, have equal pixels, and that only a space is
 * empty.
 */
export function proveCells(module: WasmModule): number {
  const { valueGlyphs } = readLayout(module);
  const met = new Map<string, string>();
  for (let cell = 0; cell < CELLS; cell++) {
    const at = valueGlyphs + cell * VALUE_HEIGHT;
    const rows = module.memory.subarray(at, at + VALUE_HEIGHT);
    if (rows.some(row => (row & ~CELL) !== 0 || (row & LAST_COLUMN) !== 0))
      throw new UnprovenClaim(`${nameOf(cell)} has pixels outside its cell`);
    if (rows.every(row => row === 0) !== (cell === 0))
      throw new UnprovenClaim(`${nameOf(cell)} is empty, or a space is not empty`);
    for (const inverse of [0, CELL]) {
      const name = `${nameOf(cell)}${inverse ? ', inverse' : ''}`;
      const pixels = Buffer.from(rows.map(row => row ^ inverse)).toString('hex');
      const other = met.get(pixels);
      if (other !== undefined) throw new UnprovenClaim(`${name} has the pixels of ${other}`);
      met.set(pixels, name);
    }
  }
  if (MARGIN + COLUMNS * VALUE_WIDTH >= SCREEN_WIDTH)
    throw new UnprovenClaim('the hook of a line feed overlaps a cell');
  return met.size;
}

/** Proves that no two titles of reviews have equal pixels, with any page numbers. */
export function proveTitles(module: WasmModule, shapes: readonly Shape[]): number {
  const titles = [...new Set(shapes.flatMap(({ items }) => items.map(({ title }) => title)))];
  const { widths, titleGlyphs } = readLayout(module);
  const columnsOf = (text: string) =>
    [...text].flatMap(each => {
      const glyph = each.charCodeAt(0) - SPACE;
      const rows = module.memory.subarray(titleGlyphs + glyph * TITLE_HEIGHT).subarray(0, TITLE_HEIGHT);
      return Array.from({ length: module.memory[widths + glyph]! }, (_, x) =>
        [...rows].map(row => (row >> (7 - x)) & 1).join(''),
      );
    });
  const empty = '0'.repeat(TITLE_HEIGHT);
  const forms = titles.map(title => {
    const alone = columnsOf(title);
    const rest = Array<string>(Math.max(0, SCREEN_WIDTH - MARGIN - alone.length)).fill(empty);
    return { title, patterns: [[...alone, ...rest], columnsOf(`${title} (`)] };
  });
  for (const [i, { title, patterns }] of forms.entries())
    for (const other of forms.slice(i + 1)) {
      const isAlike = patterns.some(a =>
        other.patterns.some(b => a.slice(0, b.length).every((column, x) => column === b[x])),
      );
      if (isAlike) throw new UnprovenClaim(`the titles ${title} and ${other.title} have the same pixels`);
    }
  return titles.length;
}
