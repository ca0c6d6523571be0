import { ImageError } from './errors.js';

/** Bytes at an address. */
export interface Segment {
  address: number;
  bytes: Uint8Array;
}

const endOf = ({ address, bytes }: Segment) => address + bytes.length;

/** Sorts segments by address and joins neighbours; throws ImageError if two overlap. */
export function joinSegments(segments: readonly Segment[]): Segment[] {
  const sorted = segments.filter(({ bytes }) => bytes.length > 0).sort((a, b) => a.address - b.address);
  const groups: Segment[][] = [];
  let end: number | undefined;
  for (const segment of sorted) {
    if (end !== undefined && segment.address < end) {
      throw new ImageError('BAD_IMAGE', `the image has two values for the byte at ${hex(segment.address)}`);
    }
    if (segment.address === end) groups.at(-1)!.push(segment);
    else groups.push([segment]);
    end = endOf(segment);
  }
  return groups.map(group => ({
    address: group[0]!.address,
    bytes: Buffer.concat(group.map(({ bytes }) => bytes)),
  }));
}

/** Returns the bytes from `start` to `end`; gaps read as FF, like erased flash. */
export function readRange(segments: readonly Segment[], start: number, end: number): Uint8Array {
  const range = new Uint8Array(end - start).fill(0xff);
  for (const { address, bytes } of segments) {
    const from = Math.max(start, address);
    const to = Math.min(end, address + bytes.length);
    if (from < to) range.set(bytes.subarray(from - address, to - address), from - start);
  }
  return range;
}

/** Returns the segments without the bytes from `start` to `end`. */
export function withoutRange(segments: readonly Segment[], start: number, end: number): Segment[] {
  return segments
    .flatMap(({ address, bytes }) => [
      { address, bytes: bytes.subarray(0, Math.max(0, start - address)) },
      { address: Math.max(address, end), bytes: bytes.subarray(Math.max(0, end - address)) },
    ])
    .filter(({ bytes }) => bytes.length > 0);
}

export function hex(address: number): string {
  return `0x${address.toString(16).padStart(8, '0')}`;
}
