import { ImageError } from './errors.js';
import { joinSegments, type Segment } from './segments.js';

const LINE_BYTES = 16;
const DATA = 0;
const END = 1;
const START_SEGMENT = 3;
const LINEAR_ADDRESS = 4;
const START_LINEAR = 5;
/** Matches a record with at most 255 bytes of data. */
const RECORD = /^:((?:[0-9a-f]{2}){5,260})$/i;

export function isIntelHex(file: Uint8Array): boolean {
  return file[0] === ':'.charCodeAt(0);
}

/** The content of an Intel HEX file. `start` has the records of its entry point, unchanged. */
export interface HexFile {
  segments: Segment[];
  start: readonly string[];
}

/** Parses a file; throws ImageError. */
export function readIntelHex(file: Uint8Array): HexFile {
  const segments: Segment[] = [];
  const start: string[] = [];
  let base = 0;
  const lines = Buffer.from(file).toString('latin1').trimEnd().split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const { type, address, data } = readRecord(line, index + 1);
    if (type === END) {
      if (index !== lines.length - 1) throw broken(index + 1);
      return { segments: joinSegments(segments), start };
    }
    if (type === DATA) segments.push({ address: base + address, bytes: data });
    else if (type === START_SEGMENT || type === START_LINEAR) start.push(line);
    else if (data.length !== 2) throw broken(index + 1);
    else base = data.readUInt16BE() * (type === LINEAR_ADDRESS ? 0x10000 : 16);
  }
  throw new ImageError('BAD_IMAGE', 'the HEX file has no end record');
}

function readRecord(line: string, number: number): { type: number; address: number; data: Buffer } {
  const digits = RECORD.exec(line)?.[1];
  if (digits === undefined) throw broken(number);
  const bytes = Buffer.from(digits, 'hex');
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  const [length, , , type = 0xff] = bytes;
  if ((sum & 0xff) !== 0 || length !== bytes.length - 5 || type > START_LINEAR) throw broken(number);
  return { type, address: bytes.readUInt16BE(1), data: bytes.subarray(4, -1) };
}

export function toIntelHex({ segments, start }: HexFile): Uint8Array {
  const lines: string[] = [];
  let upper = 0;
  for (const { address, bytes } of joinSegments(segments)) {
    for (let at = 0; at < bytes.length; ) {
      const place = address + at;
      if (place >>> 16 !== upper) {
        upper = place >>> 16;
        lines.push(record(LINEAR_ADDRESS, 0, Uint8Array.of(upper >> 8, upper & 0xff)));
      }
      const length = Math.min(LINE_BYTES, 0x10000 - (place & 0xffff));
      const data = bytes.subarray(at, at + length);
      lines.push(record(DATA, place & 0xffff, data));
      at += data.length;
    }
  }
  return Buffer.from([...lines, ...start, record(END, 0, new Uint8Array(0)), ''].join('\r\n'), 'latin1');
}

function record(type: number, address: number, data: Uint8Array): string {
  const bytes = Buffer.from([data.length, address >> 8, address & 0xff, type, ...data, 0]);
  bytes[bytes.length - 1] = -bytes.reduce((total, byte) => total + byte, 0) & 0xff;
  return `:${bytes.toString('hex').toUpperCase()}`;
}

function broken(line: number): ImageError {
  return new ImageError('BAD_IMAGE', `the HEX file is broken at line ${line}`);
}
