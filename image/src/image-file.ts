import { BOARDS, type Board } from './boards.js';
import { ImageError } from './errors.js';
import { type HexFile, isIntelHex, readIntelHex, toIntelHex } from './intel-hex.js';
import { hex, joinSegments, readRange } from './segments.js';

import { isUf2, readUf2, toUf2 } from './uf2.js';

/** UF2, Intel HEX, or a copy of flash. */
export type ImageFormat = 'uf2' | 'hex' | 'bin';

/** A file for a board's flash, in its original format. */
export interface ImageFile extends HexFile {
  format: ImageFormat;
}

const ELF = 0x7f;

/**
 * Recognizes UF2 and Intel HEX by their content; any other file is a copy of flash from its start. Throws
 * ImageError.
 */
export function readImageFile(file: Uint8Array, board: Board): ImageFile {
  const image = parse(file, board);
  const end = board.flashStart + board.flashBytes;
  for (const { address, bytes } of image.segments) {
    if (address < board.flashStart || address + bytes.length > end) {
      throw new ImageError(
        'BAD_IMAGE',
        `the image does not fit the flash of ${board.name}: it writes ${bytes.length} bytes at ${hex(address)}`,
      );
    }
  }
  if (image.segments.length === 0) throw new ImageError('BAD_IMAGE', 'the image is empty');
  return image;
}

function parse(file: Uint8Array, board: Board): ImageFile {
  if (isUf2(file)) return { format: 'uf2', segments: readUf2(file, familyOf(board)), start: [] };
  if (isIntelHex(file)) return { format: 'hex', ...readIntelHex(file) };
  if (file[0] === ELF) {
    throw new ImageError(
      'BAD_IMAGE',
      'the image is an ELF file',
      'Pass the UF2, HEX or BIN file in the same directory.',
    );
  }
  return { format: 'bin', segments: joinSegments([{ address: board.flashStart, bytes: file }]), start: [] };
}

/** Returns the bytes of the file; throws ImageError if the board does not accept the format. */
export function writeImageFile({ format, segments, start }: ImageFile, board: Board): Uint8Array {
  if (format === 'uf2') return toUf2(segments, familyOf(board));
  if (format === 'hex') return toIntelHex({ segments, start });
  const end = Math.max(board.flashStart, ...segments.map(each => each.address + each.bytes.length));
  return readRange(segments, board.flashStart, end);
}

/**
 * Returns the bytes of a signed image. A file in UF2 or Intel HEX must write nothing else, and write the image to
 * a slot of a board's loader; otherwise throws ImageError.
 */
export function signedImageOf(file: Uint8Array): Uint8Array {
  if (!isUf2(file) && !isIntelHex(file)) return file;
  for (const board of BOARDS) {
    if (!board.slots) continue;
    const { installed, staged } = board.slots;
    const [first, ...others] = readImageFile(file, board).segments;
    const isSlot = [installed, staged].some(slot => board.flashStart + slot === first?.address);
    if (first && isSlot && others.length === 0) return first.bytes;
  }
  throw new ImageError(
    'IMAGE_NOT_SIGNED',
    "the file does not consist of an image in a slot of a board's loader",
    'To account for every byte of a file that is for the whole flash, use `firmware verify`.',
  );
}

function familyOf({ name, uf2Family }: Board): number {
  if (uf2Family === undefined) throw new ImageError('BAD_IMAGE', `${name} does not accept UF2 files`);
  return uf2Family;
}
