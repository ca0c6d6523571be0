import { crc32, deflateSync } from 'node:zlib';
import { SCREEN_HEIGHT, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const BACKGROUND = [0x0b, 0x0e, 0x14];
const FOREGROUND = [0xe6, 0xf1, 0xff];
const ROW = SCREEN_WIDTH / 8;

/** A frame as a PNG of one bit per pixel, which pngjs cannot write: a fifth of the size of a colour one. */
export function encodeScreenPng(frame: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SCREEN_WIDTH, 0);
  header.writeUInt32BE(SCREEN_HEIGHT, 4);
  // One bit per pixel, from a palette.
  header.set([1, 3], 8);
  // Each row starts with its filter type: 0 for none.
  const rows = Buffer.alloc(SCREEN_HEIGHT * (ROW + 1));
  for (let y = 0; y < SCREEN_HEIGHT; y++) rows.set(frame.subarray(y * ROW, (y + 1) * ROW), y * (ROW + 1) + 1);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...BACKGROUND, ...FOREGROUND])),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  bytes.set(body, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
