import { APDU_HEADER_LENGTH, MAX_APDU, MAX_CHUNK } from '@zbc-signer/protocol/limits';
import { copyBytes } from '../bytes.js';
import { invalidReplyError } from '../errors.js';

const STATUS_BYTES = 2;

/** A command; `data` is at most 255 bytes. P2 is 00 by default. */
export interface Command {
  cla: number;
  ins: number;
  p1: number;
  p2?: number;
  data: Uint8Array;
}

interface Reply {
  data: Uint8Array;
  statusWord: number;
}

/** Encodes `CLA INS P1 P2 Lc data`. */
export function encodeCommand({ cla, ins, p1, p2 = 0, data }: Command): Uint8Array {
  const apdu = new Uint8Array(APDU_HEADER_LENGTH + data.length);
  apdu.set([cla, ins, p1, p2, data.length]);
  apdu.set(data, APDU_HEADER_LENGTH);
  return apdu;
}

/** Throws `INVALID_REPLY` for a reply shorter than a status word or longer than the maximum. */
export function decodeReply(reply: Uint8Array): Reply {
  const bytes = copyBytes(reply);
  if (bytes === undefined || bytes.length < STATUS_BYTES || bytes.length > MAX_APDU) {
    throw invalidReplyError(`the reply has ${bytes?.length} bytes, expected 2 to ${MAX_APDU}`);
  }
  const end = bytes.length - STATUS_BYTES;
  return { data: bytes.slice(0, end), statusWord: new DataView(bytes.buffer).getUint16(end) };
}

/** Splits bytes into chunks of at most 255 bytes. */
export function splitIntoChunks(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / MAX_CHUNK);
  return Array.from({ length: count }, (_, at) => bytes.slice(at * MAX_CHUNK, (at + 1) * MAX_CHUNK));
}
