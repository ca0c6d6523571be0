import { SCREEN_HEIGHT, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { PNG } from 'pngjs';
import type { Picture } from './picture.js';

const SCALE = 3;
const GAP = 12;
const SURROUND = 0x5a6270;
const DIFFERS = 0xff2020;

/**
 * A PNG of expected, actual and difference side by side, each enlarged three times; differing pixels are red.
 */
export function drawDifference(expected: Picture, shown: Picture): { png: Uint8Array; differing: number } {
  const difference = shown.map((colour, pixel) => (colour === expected[pixel] ? dim(colour) : DIFFERS));
  const pictures = [expected, shown, difference];
  const width = pictures.length * (SCREEN_WIDTH * SCALE + GAP) + GAP;
  const height = SCREEN_HEIGHT * SCALE + 2 * GAP;
  const sheet = new Uint32Array(width * height).fill(SURROUND);
  pictures.forEach((picture, index) => {
    paste(sheet, width, picture, GAP + index * (SCREEN_WIDTH * SCALE + GAP));
  });
  const differing = difference.filter(colour => colour === DIFFERS).length;
  return { png: encodeSheet(sheet, width, height), differing };
}

function paste(sheet: Picture, width: number, picture: Picture, left: number): void {
  for (let y = 0; y < SCREEN_HEIGHT * SCALE; y++) {
    for (let x = 0; x < SCREEN_WIDTH; x++) {
      const at = (GAP + y) * width + left + x * SCALE;
      sheet.fill(picture[Math.floor(y / SCALE) * SCREEN_WIDTH + x]!, at, at + SCALE);
    }
  }
}

function encodeSheet(sheet: Picture, width: number, height: number): Uint8Array {
  const png = new PNG({ width, height, colorType: 2, inputHasAlpha: false });
  png.data = Buffer.alloc(3 * sheet.length);
  const { data } = png;
  for (let at = 0; at < sheet.length; at++) {
    const colour = sheet[at]!;
    data[3 * at] = colour >> 16;
    data[3 * at + 1] = colour >> 8;
    data[3 * at + 2] = colour;
  }
  const options = { colorType: 2, inputColorType: 2, inputHasAlpha: false, filterType: 0 } as const;
  return PNG.sync.write(png, options);
}

/** A quarter of the brightness, so that the red stands out. */
function dim(colour: number): number {
  return (colour >> 2) & 0x3f3f3f;
}
