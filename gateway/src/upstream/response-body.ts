import { RequestError } from '../base/errors.js';
import type { NodeAnswer } from './node-request.js';

export function isEmpty({ body }: NodeAnswer): boolean {
  return Buffer.isBuffer(body) && body.length === 0;
}

/** Destroys a response that will not be read. */
export function discard({ body }: NodeAnswer): void {
  if (!Buffer.isBuffer(body)) body.destroy();
}

/**
 * Returns the whole body; undefined if it is incomplete. Throws RequestError 502 if it is longer than
 * `maxBytes`.
 */
export async function collect({ body }: NodeAnswer, maxBytes: number): Promise<Buffer | undefined> {
  if (Buffer.isBuffer(body)) return body;
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes) throw new RequestError(502, 'The node sent a response that is too large');
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof RequestError) throw error;
    return undefined;
  }
}
