import { addAbortSignal, type Readable } from 'node:stream';
import { UsageError } from '../errors/errors.js';

/** Reads stdin to its end; throws UsageError above `maxBytes`. The message calls the content `what`. */
export function readStdin(what: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  return readWhole(process.stdin, `${what} on stdin`, maxBytes, signal);
}

/** Reads all bytes of a stream; throws UsageError above `maxBytes`. The message calls the content `what`. */
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

/** This limit is far above that of the device, which enforces its own limit. */
const MAX_INPUT_BYTES = 65_536;

/** Returns the text in UTF-8, or the bytes of stdin for `-`. */
export async function readMessage(text: string, signal: AbortSignal): Promise<Uint8Array> {
  return text === '-' ? readStdin('the message', MAX_INPUT_BYTES, signal) : new TextEncoder().encode(text);
}
