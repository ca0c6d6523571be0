import type { KeyObject } from 'node:crypto';
import { developmentKey, findBoard, signImage } from '@zbc-signer/image';

const { flashStart, slots } = findBoard('pico')!;
const { installed } = slots!;
const HEADER = 256;
const ENDLESS_LOOP = 0xe7fe;

interface ImageParts {
  counter: number;
  revision?: number;
  bytes?: number;
  key?: KeyObject;
  reset?: number;
}

/** Returns a program that is linked for the loader's slot, and that only loops. */
export function slotProgram({
  counter,
  revision = 0,
  bytes = 4400,
  reset = 0x101,
}: Omit<ImageParts, 'key'>): Buffer {
  const payload = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at++) payload[at] = (at * 31 + revision * 17 + counter) & 0xff;
  payload.writeUInt32LE(0x20001000, 0);
  payload.writeUInt32LE(flashStart + installed + HEADER + reset, 4);
  payload.writeUInt16LE(ENDLESS_LOOP, 0x100);
  return payload;
}

/** Returns a small signed image for the loader's slot. */
export function imageOf(parts: ImageParts): Uint8Array {
  const version = { major: 1, minor: 0, revision: parts.revision ?? 0, build: 0 };
  const key = parts.key ?? developmentKey();
  return signImage(slotProgram(parts), { version, counter: parts.counter, key });
}
