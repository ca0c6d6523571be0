import { type Numbers, pick, randomBytes } from '../../../testkit/chain/numbers.js';

/** Changes bytes regardless of their meaning. */
type RawEdit = (bytes: Buffer, numbers: Numbers) => Buffer;

const TELLING_BYTES = [0x00, 0x01, 0x02, 0x0a, 0x1f, 0x20, 0x7e, 0x7f, 0x80, 0xff];
const LONGEST_REMOVAL = 8;
const LONGEST_ADDITION = 80;

function replace(bytes: Buffer, at: number, removed: number, added: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);
}

/** Edits by name; the report of a fault lists the names. */
export const RAW_EDITS: Readonly<Record<string, RawEdit>> = {
  'flip a bit': (bytes, numbers) => {
    const changed = Buffer.from(bytes);
    if (changed.length > 0) changed[numbers(changed.length)]! ^= 1 << numbers(8);
    return changed;
  },
  'set a byte': (bytes, numbers) =>
    replace(bytes, numbers(bytes.length + 1), 1, Buffer.of(pick(numbers, TELLING_BYTES))),
  'insert a byte': (bytes, numbers) => replace(bytes, numbers(bytes.length + 1), 0, randomBytes(numbers, 1)),
  'remove bytes': (bytes, numbers) =>
    replace(bytes, numbers(bytes.length + 1), 1 + numbers(LONGEST_REMOVAL), Buffer.alloc(0)),
  'cut the end': (bytes, numbers) => bytes.subarray(0, numbers(bytes.length + 1)),
  'add to the end': (bytes, numbers) =>
    Buffer.concat([bytes, randomBytes(numbers, 1 + numbers(LONGEST_ADDITION))]),
  'repeat bytes': (bytes, numbers) => {
    const from = numbers(bytes.length + 1);
    const piece = bytes.subarray(from, from + 1 + numbers(LONGEST_ADDITION));
    return replace(bytes, numbers(bytes.length + 1), 0, piece);
  },
};
