import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readText, root } from '../repository/repository.js';

const CORNER = 0x80;

/** Returns the rows of a letter in the font of titles, without trailing empty rows. */
function glyphOf(letter: string): Buffer {
  const font = readText('firmware/assembly/screen/glyphs/font.ts');
  const [, rows = ''] = new RegExp(`^ *((?:\\d+, ){8})// ${letter}$`, 'm').exec(font) ?? [];
  const bytes = Buffer.from(rows.split(', ').slice(0, 8).map(Number));
  return bytes.subarray(0, bytes.findLastIndex(row => row !== 0) + 1);
}

/**
 * Returns the shipped firmware with one wrong pixel, the upper left one, in a letter of the font of titles.
 * The texts that the firmware reports are not changed.
 */
export function firmwareWithDisplayFault(letter: string): Uint8Array {
  const bytes = readFileSync(join(root, 'emulator/dist/zbc-signer.wasm'));
  const glyph = glyphOf(letter);
  const at = bytes.indexOf(glyph);
  if (glyph.length < 5 || at < 0 || bytes.indexOf(glyph, at + 1) >= 0) {
    throw new Error(`the firmware does not contain the glyph of ${letter} exactly once`);
  }
  bytes[at]! ^= CORNER;
  return bytes;
}
