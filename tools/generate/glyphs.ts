import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const HEIGHT = 12;

/**
 * The cells of firmware/font/glyphs.txt by character, or by the name of a mark: 12 rows, most significant bit
 * left.
 */
export function readGlyphs(): Map<string, number[]> {
  const text = readFileSync(join(root, 'firmware/font/glyphs.txt'), 'utf8').trim();
  return new Map(text.split('\n\n').map(readGlyph));
}

function readGlyph(block: string): [string, number[]] {
  const [name, ...rows] = block.split('\n') as [string, ...string[]];
  if (rows.length !== HEIGHT || rows.some(row => !/^[#.]{5}$/.test(row)))
    throw new Error(`glyphs.txt: ${name} is not ${HEIGHT} rows of 5 pixels`);
  return [name, rows.map(row => Number.parseInt(row.replaceAll('#', '1').replaceAll('.', '0'), 2) << 3)];
}
