import { addAbortSignal } from 'node:stream';
import { UsageError } from '../errors/errors.js';

/** Reads stdin to its end; throws UsageError, naming it `what`, above `maxBytes`, and at Ctrl-C. */
export async function readStdin(what: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of addAbortSignal(signal, process.stdin)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw new UsageError(`${what} on stdin is longer than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks);
}
