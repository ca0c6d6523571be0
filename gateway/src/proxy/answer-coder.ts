import { pipeline, type Readable } from 'node:stream';
import {
  type BrotliOptions,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzipSync,
} from 'node:zlib';
import { LARGE_BYTES } from '../cache/answer-cache.js';
import { acceptsCoding } from '../http/content-coding.js';
import { varyWith } from '../http/vary.js';
import type { NodeAnswer } from '../upstream/node-request.js';
import { Semaphore } from '../upstream/semaphore.js';

/** Answers that are coded while nodes still send them; any more are sent as they are. */
const MOST_STREAMS = 16;

/** The smaller first. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

/** What takes the least time: hashes and signatures do not become smaller by more of it. */
const GZIP = { level: 1 };
const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

const JSON_TYPE = /^application\/json(?:\s*;|$)/i;

/** Compresses large answers of nodes for clients that take it; those in memory once for each coding. */
export class AnswerCoder {
  readonly #streams = new Semaphore(MOST_STREAMS);
  /** By whole body; those that are not kept are forgotten with it. */
  readonly #made = new WeakMap<Buffer, Partial<Record<Coding, Buffer>>>();

  /** The answer in the form for a client with this Accept-Encoding. */
  code(answer: NodeAnswer, accepted: string | string[] | undefined): NodeAnswer {
    if (!mayBeCoded(answer)) return answer;
    const plain = { ...answer, headers: variedHeaders(answer) };
    const coding = codingFor(answer, accepted);
    if (coding === undefined) return plain;
    const headers = codedHeaders(plain.headers, coding);
    if (!Buffer.isBuffer(answer.body)) {
      const body = this.#codeStream(answer.body, coding);
      return body === undefined ? plain : { ...answer, headers, body, contentLength: undefined };
    }
    const body = this.#codeWhole(answer.body, coding);
    const isSmaller = body.length < answer.body.length;
    return isSmaller ? { ...answer, headers, body, contentLength: body.length } : plain;
  }

  #codeWhole(body: Buffer, coding: Coding): Buffer {
    const known = this.#made.get(body) ?? {};
    this.#made.set(body, known);
    return (known[coding] ??= coding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body, GZIP));
  }

  #codeStream(body: Readable, coding: Coding): Readable | undefined {
    if (body.errored !== null || !this.#streams.tryAcquire()) return undefined;
    const coder = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
    // Ends both when one fails or is no longer wanted.
    return pipeline(body, coder, () => this.#streams.release());
  }
}

/** The coding of an answer for a client; undefined if it is sent as it is. */
export function codingFor(answer: NodeAnswer, accepted: string | string[] | undefined): Coding | undefined {
  if (accepted === undefined || !mayBeCoded(answer)) return undefined;
  return CODINGS.find(coding => acceptsCoding(accepted, coding));
}

/** The headers of an answer, which say so if there are other forms of it. */
export function variedHeaders(answer: NodeAnswer): Record<string, string> {
  const { headers } = answer;
  return mayBeCoded(answer) ? { ...headers, vary: varyWith(headers.vary, 'accept-encoding') } : headers;
}

function mayBeCoded({ status, headers, body, contentLength }: NodeAnswer): boolean {
  const bytes = Buffer.isBuffer(body) ? body.length : (contentLength ?? LARGE_BYTES);
  return (
    status === 200 &&
    bytes >= LARGE_BYTES &&
    headers['content-encoding'] === undefined &&
    JSON_TYPE.test(headers['content-type'] ?? '')
  );
}

/** The tag says that it is the same, but not byte for byte (RFC 9110 §8.8.3.3). */
function codedHeaders({ etag, ...headers }: Record<string, string>, coding: Coding): Record<string, string> {
  const weak = etag === undefined || etag.startsWith('W/') ? etag : `W/${etag}`;
  return { ...headers, ...(weak !== undefined && { etag: weak }), 'content-encoding': coding };
}
