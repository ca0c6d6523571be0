import { UsageError } from './errors.js';

/** All of stdin, at most `maxBytes`; `what` names it in the error. */
export async function readInput(what: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) {
      throw new UsageError(`${what} on stdin is longer than ${maxBytes} bytes`);
    }
  }
  return Buffer.concat(chunks);
}
