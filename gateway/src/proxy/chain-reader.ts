import { parseJson } from '@zbc-signer/chain';
import { RequestError } from '../base/errors.js';
import { countSeparators } from '../base/node-json.js';
import { malformed, tooLarge } from '../upstream/node-fault.js';
import type { ChainRouter } from './chain-router.js';
import { faultError } from './combined-outcomes.js';
import { OWN_HEADERS } from './request-headers.js';

const MAX_BYTES = 1_048_576;
/**
 * Maximum number of separators (`,`, `{` and `[`) in a response, far above that of a list of releases or
 * nodes.
 */
const MAX_SEPARATORS = 65_536;

interface Read {
  body: Buffer;
  value: unknown;
}

/**
 * Creates a function that reads JSON from the chain for the gateway itself, routed like a client's GET; see
 * GatewayContext.readChain. Concurrent reads of one path share one request. An unchanged response is parsed
 * only once, so the same object is returned.
 */
export function createChainReader(router: ChainRouter): (path: string) => Promise<unknown> {
  const last = new Map<string, Read>();
  const running = new Map<string, Promise<unknown>>();
  const read = async (path: string) => {
    const body = await readBody(router, path);
    const previous = last.get(path);
    if (previous?.body.equals(body)) return previous.value;
    const value = parse(body);
    last.set(path, { body, value });
    return value;
  };
  return path => {
    const question = running.get(path) ?? read(path).finally(() => running.delete(path));
    running.set(path, question);
    return question;
  };
}

async function readBody(router: ChainRouter, path: string): Promise<Buffer> {
  const { answer } = await router.read({ method: 'GET', path, headers: OWN_HEADERS }, { pool: 'own' });
  const { body } = answer;
  if (answer.status === 404) throw new RequestError(404, 'Not found on any node');
  if (answer.status === 503) throw new RequestError(503, 'The nodes are overloaded');
  if (answer.status !== 200) throw faultError(malformed());
  if (body.length > MAX_BYTES) throw faultError(tooLarge());
  return body;
}

function parse(body: Buffer): unknown {
  if (countSeparators(body) > MAX_SEPARATORS) throw faultError(malformed());
  try {
    return parseJson(body.toString());
  } catch {
    throw faultError(malformed());
  }
}
