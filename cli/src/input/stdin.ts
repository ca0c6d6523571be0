import { addAbortSignal, type Readable } from 'node:stream';
import { UsageError } from '../errors/errors.js';

/** Reads stdin to its end; throws UsageError, naming it `what`, above `maxBytes`, and at Ctrl-C. */
export function readStdin(what: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  return readWhole(process.stdin, `${what} on stdin`, maxBytes, signal);
}

/** All bytes of a stream; throws UsageError, naming it `what`, above `maxBytes`. */
export async function readWhole(
  stream: Readable,
  what: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of addAbortSignal(signal, stream)) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) throw new UsageError(`${what} is longer than ${maxBytes} bytes`);
  }
  return Buffer.concat(pieces);
}

/** Far above the device's limit, which the device enforces. */
const MAX_INPUT_BYTES = 65_536;

/** The text in UTF-8; for `-`, the bytes of stdin. */
export async function readMessage(text: string, signal: AbortSignal): Promise<Uint8Array> {
  return text === '-' ? readStdin('the message', MAX_INPUT_BYTES, signal) : new TextEncoder().encode(text);
}
