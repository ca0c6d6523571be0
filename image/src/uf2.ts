import { ImageError } from './errors.js';
import { hex, joinSegments, readRange, type Segment } from './segments.js';

const BLOCK = 512;
const PAYLOAD = 256;
/** Size of the RP2040's smallest erasable sector. */
const SECTOR = 4096;
const HEADER = 32;
const MAGIC_START_0 = 0x0a324655;
const MAGIC_START_1 = 0x9e5d5157;
const MAGIC_END = 0x0ab16f30;
const FAMILY_ID_PRESENT = 0x2000;

export function isUf2(file: Uint8Array): boolean {
  return file.length >= BLOCK && view(file).getUint32(0, true) === MAGIC_START_0;
}

/**
 * Returns a UF2 file that writes the segments, in pages of 256 bytes. Unused bytes of a page are FF. Every
 * sector except the last is complete, because the RP2040's boot ROM erases one sector for every 16 blocks. It
 * counts blocks by their numbers and not by their addresses (RP2040-E14 in the datasheet).
 */
export function toUf2(segments: readonly Segment[], family: number): Uint8Array {
  const joined = joinSegments(segments);
  const written = joined.flatMap(pagesOf);
  const sectors = [...new Set(written.map(address => address - (address % SECTOR)))];
  const last = sectors.pop()!;
  const complete = sectors.flatMap(sector => pagesOf({ address: sector, bytes: new Uint8Array(SECTOR) }));
  const pages = [...complete, ...written.filter(address => address >= last)];
  return Buffer.concat(
    pages.map((address, number) => {
      const bytes = readRange(joined, address, address + PAYLOAD);
      return block({ address, bytes }, number, pages.length, family);
    }),
  );
}

/** Returns the addresses of the pages that a segment writes. */
function pagesOf({ address, bytes }: Segment): number[] {
  if (address % PAYLOAD !== 0)
    throw new ImageError(
      'BAD_IMAGE',
      `a part of the image starts at ${hex(address)}, which is not the start of a page of ${PAYLOAD} bytes`,
    );
  return Array.from({ length: Math.ceil(bytes.length / PAYLOAD) }, (_, index) => address + index * PAYLOAD);
}

function block({ address, bytes }: Segment, number: number, count: number, family: number): Uint8Array {
  const file = new Uint8Array(BLOCK);
  const words = view(file);
  const header = [MAGIC_START_0, MAGIC_START_1, FAMILY_ID_PRESENT, address, PAYLOAD, number, count, family];
  for (const [index, word] of header.entries()) words.setUint32(4 * index, word, true);
  file.set(bytes, HEADER);
  words.setUint32(BLOCK - 4, MAGIC_END, true);
  return file;
}

/** Returns the content of a UF2 file of this family; throws ImageError. */
export function readUf2(file: Uint8Array, family: number): Segment[] {
  if (file.length % BLOCK !== 0) throw broken('has an incomplete block');
  const count = file.length / BLOCK;
  return joinSegments(
    Array.from({ length: count }, (_, number) =>
      readBlock(file.subarray(number * BLOCK, (number + 1) * BLOCK), number, count, family),
    ),
  );
}

function readBlock(file: Uint8Array, number: number, count: number, family: number): Segment {
  const words = view(file);
  const [start0, start1, flags, address, length, own, all, found] = Array.from({ length: 8 }, (_, index) =>
    words.getUint32(4 * index, true),
  );
  const end = words.getUint32(BLOCK - 4, true);
  if (start0 !== MAGIC_START_0 || start1 !== MAGIC_START_1 || end !== MAGIC_END) {
    throw broken(`has an invalid block ${number}: its magic numbers are wrong`);
  }
  if (flags !== FAMILY_ID_PRESENT || found !== family) throw broken('is for another chip');
  if (own !== number || all !== count)
    throw broken(`has block ${own} of ${all} in place of block ${number} of ${count}`);
  if (length !== PAYLOAD) throw broken(`has ${length} bytes in block ${number}, expected ${PAYLOAD}`);
  return { address: address!, bytes: file.subarray(HEADER, HEADER + PAYLOAD) };
}

function view(file: Uint8Array): DataView {
  return new DataView(file.buffer, file.byteOffset, file.byteLength);
}

function broken(what: string): ImageError {
  return new ImageError('BAD_IMAGE', `the UF2 file ${what}`);
}
