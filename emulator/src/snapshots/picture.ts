import { SCREEN_HEIGHT, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { PNG } from 'pngjs';
import { FOREGROUND, isLit } from '../device/png.js';

/** Limit of a file; every image of the screen is smaller. */
const MAX_PNG_BYTES = 100_000;
const SIZE_OFFSET = 16;
const DEPTH_OFFSET = 24;
const MAX_BITS = 8;
const OPAQUE = 0xff;

/** The 0xRRGGBB colours of a screen's pixels, row by row. */
export type Picture = Uint32Array;

/** The pixels that encodePng writes. */
export function drawPicture(frame: Uint8Array): Picture {
  return Uint32Array.from({ length: SCREEN_WIDTH * SCREEN_HEIGHT }, (_, pixel) =>
    isLit(frame, pixel) ? 0x010101 * FOREGROUND : 0,
  );
}

/** Converts the bright pixels of a picture to 64 rows of 16 bytes; the highest bit is the leftmost pixel. */
export function frameOf(picture: Picture): Uint8Array {
  const frame = new Uint8Array(picture.length / 8);
  for (const [pixel, colour] of picture.entries()) {
    if ((colour & 0xff00) > 0x7f00) frame[pixel >> 3]! |= 0x80 >> (pixel & 7);
  }
  return frame;
}

/**
 * Returns undefined unless the file is an opaque PNG of the screen's size, at most MAX_PNG_BYTES long, with
 * at most 8 bits per colour. Other images may look different in another viewer.
 */
export function readPicture(png: Uint8Array): Picture | undefined {
  const bytes = Buffer.from(png);
  if (bytes.length <= DEPTH_OFFSET || bytes.length > MAX_PNG_BYTES) return undefined;
  const size = [bytes.readUInt32BE(SIZE_OFFSET), bytes.readUInt32BE(SIZE_OFFSET + 4)];
  if (size[0] !== SCREEN_WIDTH || size[1] !== SCREEN_HEIGHT) return undefined;
  if (bytes[DEPTH_OFFSET]! > MAX_BITS) return undefined;
  try {
    const { data } = PNG.sync.read(bytes);
    for (let pixel = 0; pixel < data.length; pixel += 4) {
      if (data[pixel + 3] !== OPAQUE) return undefined;
    }
    return Uint32Array.from({ length: SCREEN_WIDTH * SCREEN_HEIGHT }, (_, pixel) =>
      data.readUIntBE(4 * pixel, 3),
    );
  } catch {
    return undefined;
  }
}

/** The number of pixels whose colours differ. */
export function countDifferences(a: Picture, b: Picture): number {
  return a.filter((colour, pixel) => colour !== b[pixel]).length;
}
