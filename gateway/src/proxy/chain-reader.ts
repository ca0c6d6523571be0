import { parseJson } from '@zbc-signer/chain';
import { RequestError } from '../base/errors.js';
import { collect } from './answer-body.js';
import type { ChainRouter } from './chain-router.js';
import { VIA } from './request-headers.js';

const MAX_BYTES = 1_048_576;
const HEADERS = ['via', VIA, 'accept', 'application/json'];

/**
 * Reads JSON from the chain for the gateway itself, routed like a client's GET; see GatewayContext.readChain.
 */
export function createChainReader(router: ChainRouter): (path: string) => Promise<unknown> {
  return async path => {
    const { answer } = await router.read({ method: 'GET', path, headers: HEADERS }, { lane: 'own' });
    const body = await collect(answer, MAX_BYTES);
    if (answer.status === 404) throw new RequestError(404, 'Not found on any node');
    if (answer.status === 503) throw new RequestError(503, 'The nodes are overloaded');
    if (answer.status !== 200 || body === undefined) throw malformed();
    try {
      return parseJson(body.toString());
    } catch {
      throw malformed();
    }
  };
}

function malformed(): RequestError {
  return new RequestError(502, 'The node sent a malformed response');
}
