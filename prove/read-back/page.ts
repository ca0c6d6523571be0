// Reads a page only from its pixels, with the fonts' own files (testkit/screen/bitmap-font.ts). Every pixel
// must belong to a recognized element.
import { pixelsOf, pixelsOfMark } from '../../testkit/screen/bitmap-font.js';
import { UnprovenClaim } from '../control.js';

const COLUMNS = 21;
const CELL_WIDTH = 6;
const ROW_BYTES = 16;
const LINE_TOPS = [11, 23, 35, 47];
const LINE_ROWS = 12;
const TITLE_ROWS = 10;
const TITLE_BASELINE = 8;
const ARROWS_TOP = 59;
const CELL = 0x3f;

interface Line {
  /** Characters, with spaces for dots. */
  text: string;
  /** Whether a line feed ends it. */
  ended: boolean;
  inverse: boolean;
}

/** A page with a title bar. Other pages, such as the last two pages of a review, have none. */
export interface Page {
  title: string;
  lines: Line[];
  /** The word in large type, instead of lines. */
  large?: string;
}

/** Thrown if no text draws the pixels of a page. */
export class UnreadablePage extends UnprovenClaim {
  override readonly name = 'UnreadablePage';
}

type Glyphs = Map<number, Map<number, string>>;

const MARKS = { 'line-feed': '\n', space: '\u00b7' } as const;
const CHARACTERS = Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i));

/** Returns the rows of a cell as two numbers: the upper five, and the others. */
function pack(rows: readonly number[]): [number, number] {
  const join = (part: readonly number[]) => part.reduce((sum, row) => sum * 64 + row, 0);
  return [join(rows.slice(0, 5)), join(rows.slice(5))];
}

function rowsOf(pixels: Set<string>, height: number, width: number): number[] {
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => (pixels.has(`${x},${y}`) ? 1 << (width - 1 - x) : 0)).reduce(
      (a, b) => a | b,
    ),
  );
}

function addGlyph(glyphs: Glyphs, rows: readonly number[], character: string): void {
  const [upper, lower] = pack(rows);
  const below = glyphs.get(upper) ?? new Map<number, string>();
  if (below.has(lower)) throw new Error(`${character} and ${below.get(lower)} have the same pixels`);
  glyphs.set(upper, below.set(lower, character));
}

function readFace(inverse: boolean): Glyphs {
  const glyphs: Glyphs = new Map();
  const drawn = CHARACTERS.map(character => [character, pixelsOf(character, 'value', 0, 11)] as const);
  const marks = (['line-feed', 'space'] as const).map(
    mark => [MARKS[mark], pixelsOfMark(mark, 0, 11)] as const,
  );
  for (const [character, pixels] of [...drawn, ...marks]) {
    const rows = rowsOf(pixels, LINE_ROWS, CELL_WIDTH);
    addGlyph(glyphs, inverse ? rows.map(row => row ^ CELL) : rows, character);
  }
  return glyphs;
}

const PLAIN = readFace(false);
const INVERSE = readFace(true);

/** The columns of each character of a title; the top row is the lowest bit. */
const TITLE_COLUMNS = CHARACTERS.map(character => {
  const width = titleWidth(character);
  const pixels = pixelsOf(character, 'title', 0, TITLE_BASELINE);
  const columns = Array.from({ length: width }, (_, x) =>
    Array.from({ length: TITLE_ROWS }, (_, y) => (pixels.has(`${x},${y}`) ? 1 << y : 0)).reduce(
      (a, b) => a | b,
    ),
  );
  return { character, columns };
});

/** Returns the advance of a character, found by drawing a bar after it. */
function titleWidth(character: string): number {
  const first = (text: string) =>
    Math.min(...[...pixelsOf(text, 'title', 0, TITLE_BASELINE)].map(pixel => Number(pixel.split(',')[0])));
  const bar = first('|');
  const both = [...pixelsOf(`${character}|`, 'title', 0, TITLE_BASELINE)].map(pixel =>
    Number(pixel.split(',')[0]),
  );
  return Math.max(...both) - bar;
}

/** A page number in which a 0 is read as an O, whose pixels are equal in titles. */
const LETTER_IN_NUMBER = /\([\dO/]*O[\dO/]*\)$/;

const titles = new Map<string, string>();

/**
 * Returns the only text whose characters have these columns. Throws if there is no such text, or if there are
 * several and the text is not known.
 */
function readTitle(frame: Uint8Array, known: string | undefined): string {
  const key = Buffer.from(frame.buffer, frame.byteOffset, TITLE_ROWS * ROW_BYTES).toString('latin1');
  const cached = titles.get(key);
  if (cached !== undefined && (known === undefined || cached === known)) return cached;
  const columns = Array.from({ length: 128 }, (_, x) =>
    Array.from({ length: TITLE_ROWS }, (_, y) =>
      (frame[y * ROW_BYTES + (x >> 3)]! >> (7 - (x & 7))) & 1 ? 0 : 1 << y,
    ).reduce((a, b) => a | b),
  );
  const last = columns.findLastIndex(column => column !== 0);
  const found: string[] = [];
  const extend = (text: string, x: number): void => {
    if (x > last) {
      if (!text.endsWith(' ') && !LETTER_IN_NUMBER.test(text)) found.push(text);
      return;
    }
    for (const glyph of TITLE_COLUMNS) {
      if (glyph.columns.every((column, i) => column === (columns[x + i] ?? 0))) {
        extend(text + glyph.character, x + glyph.columns.length);
      }
    }
  };
  if (columns[0] !== 0) throw new UnreadablePage('the margin of a title is dark');
  extend('', 1);
  if (known !== undefined && found.includes(known)) {
    titles.set(key, known);
    return known;
  }
  if (found.length !== 1) throw new UnreadablePage(`a title can be read as any of ${JSON.stringify(found)}`);
  titles.set(key, found[0]!);
  return found[0]!;
}

function bitsAt(frame: Uint8Array, y: number, x: number): number {
  const at = y * ROW_BYTES + (x >> 3);
  return (((frame[at]! << 8) | (frame[at + 1] ?? 0)) >> (10 - (x & 7))) & CELL;
}

const lit = (frame: Uint8Array, x: number, y: number) =>
  (frame[y * ROW_BYTES + (x >> 3)]! >> (7 - (x & 7))) & 1;

/** Returns whether the mark of a line feed follows a full line, as a hook at the edge; removes its pixels. */
function takeHook(frame: Uint8Array, top: number): boolean {
  const column = Array.from({ length: LINE_ROWS }, (_, i) => lit(frame, 127, top + i));
  if (column.every(bit => bit === 0)) return false;
  if (column.join('') !== '000011111000') throw new UnreadablePage('there are other pixels after a line');
  if (lit(frame, 126, top + 8) !== 1) throw new UnreadablePage('the hook of a line feed is incomplete');
  for (let row = 4; row < 9; row++) frame[(top + row) * ROW_BYTES + 15]! &= row === 8 ? 0xfc : 0xfe;
  return true;
}

function readCell(frame: Uint8Array, top: number, column: number): [character: string, inverse: boolean] {
  const x = 1 + column * CELL_WIDTH;
  let [upper, lower] = [0, 0];
  for (let row = 0; row < 5; row++) upper = upper * 64 + bitsAt(frame, top + row, x);
  for (let row = 5; row < LINE_ROWS; row++) lower = lower * 64 + bitsAt(frame, top + row, x);
  const plain = PLAIN.get(upper)?.get(lower);
  if (plain !== undefined) return [plain, false];
  const inverse = INVERSE.get(upper)?.get(lower);
  if (inverse === undefined) throw new UnreadablePage(`no character has the pixels in column ${column}`);
  return [inverse, true];
}

/** Returns a line; undefined if no pixel is lit. */
function readLine(frame: Uint8Array, top: number): Line | undefined {
  const hook = takeHook(frame, top);
  const cells = Array.from({ length: COLUMNS }, (_, column) => readCell(frame, top, column));
  let length = cells.findLastIndex(([character, inverse]) => character !== ' ' || inverse) + 1;
  if (length === 0) {
    if (hook) throw new UnreadablePage('the hook of a line feed follows an empty line');
    return undefined;
  }
  const mark = cells[length - 1]![0] === MARKS['line-feed'];
  if (mark) length--;
  const line = cells.slice(0, length);
  const inverse = line[0]?.[1] ?? false;
  if (line.some(([, each]) => each !== inverse)) throw new UnreadablePage('a line is only partly inverse');
  const raw = line.map(([character]) => character).join('');
  if (/^ | $|.\u00b7.|\n/.test(raw))
    throw new UnreadablePage(`marks are at wrong places: ${JSON.stringify(raw)}`);
  if (hook && length !== COLUMNS) throw new UnreadablePage('the hook of a line feed follows a short line');
  return { text: raw.replaceAll(MARKS.space, ' '), ended: mark || hook, inverse };
}

/** Returns the rows below the title that a large word lights. */
function largeRows(word: string): string {
  const left = (128 - 2 * CELL_WIDTH * word.length) / 2;
  const top = (64 - 2 * LINE_ROWS + TITLE_ROWS) / 2;
  const rows = new Uint8Array(1024);
  for (const pixel of pixelsOf(word, 'value', 0, 11)) {
    const [x, y] = pixel.split(',').map(Number) as [number, number];
    for (const [dx, dy] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ] as const) {
      const at = [left + 2 * x + dx, top + 2 * y + dy] as const;
      rows[at[1] * ROW_BYTES + (at[0] >> 3)]! |= 0x80 >> (at[0] & 7);
    }
  }
  return valueRows(rows);
}

const valueRows = (frame: Uint8Array) =>
  Buffer.from(frame.slice(TITLE_ROWS * ROW_BYTES, ARROWS_TOP * ROW_BYTES)).toString('latin1');

const LARGE = new Map(['APPROVE', 'REJECT'].map(word => [largeRows(word), word]));

/** Returns whether a frame has a title bar, like pages of items. */
export const hasTitle = (frame: Uint8Array) => frame[0] !== 0;

/**
 * Reads a frame of 1024 bytes. `known` is the title of a keystore page, which is preferred if the pixels
 * allow it (0 and O of titles are equal); such a page may omit a line before another.
 */
export function readPage(shown: Uint8Array, known?: string): Page | undefined {
  if (!hasTitle(shown)) return undefined;
  const frame = shown.slice();
  const title = readTitle(frame, known);
  const large = LARGE.get(valueRows(frame));
  if (large !== undefined) return { title, lines: [], large };
  const lines = LINE_TOPS.map(top => readLine(frame, top));
  const last = lines.findLastIndex(line => line !== undefined);
  for (let i = 0; i <= last; i++)
    if (!lines[i] && known === undefined) throw new UnreadablePage('an empty line precedes another line');
  for (let y = TITLE_ROWS; y < ARROWS_TOP; y++) {
    if (y === TITLE_ROWS ? bitsAt(frame, y, 0) !== 0 : lit(frame, 0, y))
      throw new UnreadablePage('there are pixels in the margin');
  }
  for (let i = 0; i < ROW_BYTES; i++)
    if (frame[TITLE_ROWS * ROW_BYTES + i])
      throw new UnreadablePage('there are pixels between the title and the lines');
  return { title, lines: lines.filter(line => line !== undefined) };
}
