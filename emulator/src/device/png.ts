import { createRequire } from 'node:module';
import { SCREEN_HEIGHT, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';

/** Red, green and blue value of a lit pixel. */
export const FOREGROUND = 0xdd;

/** Loads pngjs on first use, because most sessions need no PNG. */
export function pngjs(): typeof import('pngjs') {
  return createRequire(import.meta.url)('pngjs');
}

/** An 8-bit RGB image of a frame, background 000000, foreground DDDDDD. Equal frames give equal bytes. */
export function encodePng(frame: Uint8Array): Uint8Array {
  const data = Buffer.alloc(SCREEN_WIDTH * SCREEN_HEIGHT * 3);
  for (let pixel = 0; pixel < SCREEN_WIDTH * SCREEN_HEIGHT; pixel++) {
    if (isLit(frame, pixel)) data.fill(FOREGROUND, 3 * pixel, 3 * pixel + 3);
  }
  const [width, height] = [SCREEN_WIDTH, SCREEN_HEIGHT];
  const { PNG } = pngjs();
  const png = new PNG({ width, height, colorType: 2, inputHasAlpha: false });
  png.data = data;
  // Filters are disabled, because trying each is slow in the sandboxes of test runners.
  return PNG.sync.write(png, {
    colorType: 2,
    inputColorType: 2,
    inputHasAlpha: false,
    bitDepth: 8,
    filterType: 0,
  });
}

/** `pixel` counts row by row. */
export function isLit(frame: Uint8Array, pixel: number): boolean {
  return ((frame[pixel >> 3]! >> (7 - (pixel & 7))) & 1) === 1;
}
