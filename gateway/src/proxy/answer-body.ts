import type { NodeAnswer } from '../upstream/exchange.js';

export function isEmpty({ body }: NodeAnswer): boolean {
  return Buffer.isBuffer(body) && body.length === 0;
}

/** Ends an answer that nobody will read. */
export function discard({ body }: NodeAnswer): void {
  if (!Buffer.isBuffer(body)) body.destroy();
}

/** The whole body, or undefined when it is longer than `maxBytes` or breaks off. */
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
