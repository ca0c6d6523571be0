/**
 * A glyph: rows top to bottom, each 8 bits with the most significant one leftmost; `bottom` in rows above the
 * baseline.
 */
export interface Glyph {
  advance: number;
  left: number;
  bottom: number;
  rows: number[];
}

export type BitmapFont = Map<number, Glyph>;

const GLYPH =
  /ENCODING (\d+)[\s\S]*?DWIDTH (\d+)[\s\S]*?BBX \d+ \d+ (-?\d+) (-?\d+)[\s\S]*?BITMAP\s+([\s\S]*?)ENDCHAR/g;

/** Reads the glyphs up to 8 pixels wide of a font in the Glyph Bitmap Distribution Format 2.1. */
export function parseBdf(source: string): BitmapFont {
  const font: BitmapFont = new Map();
  for (const [, code, advance, left, bottom, bitmap] of source.matchAll(GLYPH)) {
    const rows = bitmap!.trim().split(/\s+/);
    if (rows.some(row => row.length > 2)) continue;
    font.set(Number(code), {
      advance: Number(advance),
      left: Number(left),
      bottom: Number(bottom),
      rows: rows.filter(row => row !== '').map(row => Number.parseInt(row, 16)),
    });
  }
  return font;
}
