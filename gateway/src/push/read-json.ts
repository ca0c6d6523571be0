import { parseJson } from '@zbc-signer/chain';
import { RequestError } from '../base/errors.js';
import { collect } from '../proxy/answer-body.js';
import type { ChainRouter } from '../proxy/chain-router.js';
import { VIA } from '../proxy/request-headers.js';
import type { Cancellation } from '../upstream/cancellation.js';

const HEADERS = ['via', VIA, 'accept', 'application/json'];
/** A block of a mebibyte, in hex and JSON, is about a fifth of this. */
const MAX_BYTES = 16_777_216;

/** Reads the chain for events; undefined for any status but 200. */
export type ReadJson = (path: string, cancellation?: Cancellation) => Promise<unknown>;

/** Routed like a client's GET; throws RequestError 502, 503 or 504. */
export function jsonReading(router: ChainRouter): ReadJson {
  return async (path, cancellation) => {
    const asked = { method: 'GET', path, headers: HEADERS } as const;
    const { answer } = await router.read(asked, cancellation && { cancellation });
    const body = await collect(answer, MAX_BYTES);
    if (answer.status !== 200) return undefined;
    try {
      return parseJson((body ?? Buffer.alloc(0)).toString());
    } catch {
      throw malformed();
    }
  };
}

export function malformed(): RequestError {
  return new RequestError(502, 'The node sent a malformed response');
}

/** A field of what a node sent. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
