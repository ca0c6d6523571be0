import { readText } from '../repository/repository.js';

interface Glyph {
  advance: number;
  left: number;
  bottom: number;
  /** Rows from top to bottom. Each row is a string of 0 and 1. */
  rows: string[];
}

/** Reads a font from its BDF file. */
function readFont(name: string): Map<string, Glyph> {
  const path = `node_modules/galmuri/dist/${name}.bdf`;
  const font = new Map<string, Glyph>();
  let glyph: Glyph = { advance: 0, left: 0, bottom: 0, rows: [] };
  let code = 0;
  for (const line of readText(path).split('\n')) {
    const [word, ...rest] = line.trim().split(' ');
    const numbers = rest.map(Number);
    if (word === 'STARTCHAR') glyph = { advance: 0, left: 0, bottom: 0, rows: [] };
    else if (word === 'ENCODING') code = numbers[0]!;
    else if (word === 'DWIDTH') glyph.advance = numbers[0]!;
    else if (word === 'BBX') [, , glyph.left, glyph.bottom] = numbers as [number, number, number, number];
    else if (word === 'ENDCHAR') font.set(String.fromCodePoint(code), glyph);
    else if (/^[0-9A-F]{2}$/.test(word!))
      glyph.rows.push(Number.parseInt(word!, 16).toString(2).padStart(8, '0'));
  }
  return font;
}

/**
 * Reads the characters and marks that firmware/font redraws. They are drawn in cells of 12 rows, of which one
 * row is below the baseline.
 */
function readChanges(): [string, Glyph][] {
  const blocks = readText('firmware/font/glyphs.txt').trim().split('\n\n');
  return blocks.map(block => {
    const [name, ...rows] = block.split('\n') as [string, ...string[]];
    const bits = rows.map(row => row.replaceAll('#', '1').replaceAll('.', '0'));
    return [name, { advance: 6, left: 0, bottom: -1, rows: bits }];
  });
}

const VALUE = new Map([...readFont('GalmuriMono11'), ...readChanges()]);
const TITLE = readFont('Galmuri7');

/**
 * Returns the pixels, as `x,y`, of the mark for a line feed or for a leading or trailing space. The cell of
 * the mark begins at column `x`.
 */
export function pixelsOfMark(mark: 'line-feed' | 'space', x: number, baseline: number): Set<string> {
  return pixelsOfGlyphs([VALUE.get(mark)!], x, baseline);
}

/** Returns the pixels, as `x,y`, of a text that begins at column `x` on the baseline. */
export function pixelsOf(text: string, face: 'title' | 'value', x: number, baseline: number): Set<string> {
  const font = face === 'title' ? TITLE : VALUE;
  return pixelsOfGlyphs(
    [...text].map(character => font.get(character)!),
    x,
    baseline,
  );
}

function pixelsOfGlyphs(glyphs: Glyph[], x: number, baseline: number): Set<string> {
  const pixels = new Set<string>();
  let column = x;
  for (const { advance, left, bottom, rows } of glyphs) {
    const top = baseline - bottom - rows.length;
    rows.forEach((row, y) => {
      [...row].forEach((bit, i) => {
        if (bit === '1') pixels.add(`${column + left + i},${top + y}`);
      });
    });
    column += advance;
  }
  return pixels;
}
