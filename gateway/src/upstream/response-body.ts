import type { NodeAnswer } from './node-request.js';

export function isEmpty({ body }: NodeAnswer): boolean {
  return Buffer.isBuffer(body) && body.length === 0;
}

/** Destroys a response that will not be read. */
export function discard({ body }: NodeAnswer): void {
  if (!Buffer.isBuffer(body)) body.destroy();
}

/** The whole body; undefined if it exceeds `maxBytes` or is incomplete. */
export async function collect({ body }: NodeAnswer, maxBytes: number): Promise<Buffer | undefined> {
  if (Buffer.isBuffer(body)) return body;
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes) return undefined;
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch {
    return undefined;
  }
}
