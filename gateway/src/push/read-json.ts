import { RequestError } from '../base/errors.js';
import { parseNodeJson } from '../base/node-json.js';
import type { ChainRouter, ReadOptions } from '../proxy/chain-router.js';
import { VIA } from '../proxy/request-headers.js';
import type { Cancellation } from '../upstream/cancellation.js';
import { COLLECTED_BYTES } from '../upstream/node-request.js';
import { collect } from '../upstream/response-body.js';

const HEADERS = ['via', VIA, 'accept', 'application/json'];

interface ReadLimits extends Pick<ReadOptions, 'pool'> {
  cancellation?: Cancellation;
  /** Default: of an answer that is no block. */
  maxBytes?: number;
}

/** Reads the chain for events; undefined for any status but 200. */
export type ReadJson = (path: string, limits?: ReadLimits) => Promise<unknown>;

/** Routed like a client's GET; throws RequestError 502, 503 or 504. */
export function jsonReading(router: ChainRouter): ReadJson {
  return async (path, { maxBytes = COLLECTED_BYTES, ...options } = {}) => {
    const asked = { method: 'GET', path, headers: HEADERS } as const;
    const { answer } = await router.read(asked, options);
    const body = await collect(answer, maxBytes);
    if (answer.status !== 200) return undefined;
    try {
      return parseNodeJson(body ?? Buffer.alloc(0));
    } catch {
      throw malformed();
    }
  };
}

export function malformed(): RequestError {
  return new RequestError(502, 'The node sent a malformed response');
}
