import { crc32 } from 'node:zlib';
import type { Board } from './boards.js';
import { ImageError } from './errors.js';
import type { ImageFile } from './image-file.js';
import { joinSegments, readRange, type Segment, withoutRange } from './segments.js';

const MARK = 'ZBCS';
const SEED_BYTES = 64;
export const SEED_RECORD_BYTES = MARK.length + 4 + SEED_BYTES + 4;

/** The start of a board's seed sector: a mark, a number that is 0, the seed, and the CRC-32 of all three. */
function seedRecord(seed: Uint8Array): Uint8Array {
  if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes, not ${seed.length}`);
  const record = Buffer.alloc(SEED_RECORD_BYTES);
  record.write(MARK, 'latin1');
  record.set(seed, 8);
  record.writeUInt32LE(crc32(record.subarray(0, -4)), record.length - 4);
  return record;
}

/** What a board has in its flash once it holds the 64-byte seed. */
export function seedSegment(board: Board, seed: Uint8Array): Segment {
  return { address: board.flashStart + board.seedOffset, bytes: seedRecord(seed) };
}

/** Whether the image writes a seed. */
export function hasSeed({ segments }: ImageFile, board: Board): boolean {
  const start = board.flashStart + board.seedOffset;
  return Buffer.from(readRange(segments, start, start + MARK.length)).toString('latin1') === MARK;
}

/** Whether there is a seed anywhere in the bytes. */
export function holdsSeed(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = file.indexOf(MARK); at !== -1; at = file.indexOf(MARK, at + 1)) {
    const record = file.subarray(at, at + SEED_RECORD_BYTES);
    if (record.length < SEED_RECORD_BYTES) return false;
    if (crc32(record.subarray(0, -4)) === record.readUInt32LE(record.length - 4)) return true;
  }
  return false;
}

/**
 * The image with a seed in it. Throws ImageError SEED_EXISTS when it has one, unless `replace`, and BAD_IMAGE
 * when it has anything else there.
 */
export function addSeed(image: ImageFile, board: Board, seed: Uint8Array, replace = false): ImageFile {
  const start = board.flashStart + board.seedOffset;
  const end = start + board.sectorBytes;
  if (hasSeed(image, board)) {
    if (!replace) {
      throw new ImageError('SEED_EXISTS', 'the image has a seed already', 'Replace it with --force.');
    }
  } else if (readRange(image.segments, start, end).some(byte => byte !== 0xff)) {
    throw new ImageError('BAD_IMAGE', 'the image has something else where the seed belongs');
  }
  const others = withoutRange(image.segments, start, end);
  return { ...image, segments: joinSegments([...others, seedSegment(board, seed)]) };
}
