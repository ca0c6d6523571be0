import { SCREEN_HEIGHT, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { encodeColours } from '../device/png.js';
import type { Picture } from './picture.js';

const SCALE = 3;
const GAP = 12;
const SURROUND = 0x5a6270;
const DIFFERS = 0xff2020;

/**
 * A PNG of expected, actual and difference side by side, each enlarged three times; differing pixels are red.
 */
export function drawDifference(expected: Picture, shown: Picture): { png: Uint8Array; differing: number } {
  const { difference, differing } = comparePictures(expected, shown);
  const pictures = [expected, shown, difference];
  const width = pictures.length * (SCREEN_WIDTH * SCALE + GAP) + GAP;
  const height = SCREEN_HEIGHT * SCALE + 2 * GAP;
  const sheet = new Uint32Array(width * height).fill(SURROUND);
  pictures.forEach((picture, index) => {
    paste(sheet, width, picture, GAP + index * (SCREEN_WIDTH * SCALE + GAP));
  });
  return { png: encodeColours(sheet, width, height), differing };
}

/** Returns the dimmed shown picture with the differing pixels in red, and the number of these pixels. */
export function comparePictures(
  expected: Picture,
  shown: Picture,
): { difference: Picture; differing: number } {
  let differing = 0;
  const difference = shown.map((colour, pixel) => {
    if (colour === expected[pixel]) return dim(colour);
    differing += 1;
    return DIFFERS;
  });
  return { difference, differing };
}

function paste(sheet: Picture, width: number, picture: Picture, left: number): void {
  for (let y = 0; y < SCREEN_HEIGHT * SCALE; y++) {
    for (let x = 0; x < SCREEN_WIDTH; x++) {
      const at = (GAP + y) * width + left + x * SCALE;
      sheet.fill(picture[Math.floor(y / SCALE) * SCREEN_WIDTH + x]!, at, at + SCALE);
    }
  }
}

/** A quarter of the brightness, so that the red stands out. */
function dim(colour: number): number {
  return (colour >> 2) & 0x3f3f3f;
}
