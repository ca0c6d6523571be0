import type { ErrorFacts } from '@zbc-signer/chain';
import { GatewayError } from '../errors.js';

/**
 * The gateway did not answer: connection refused, dropped or timed out. The request may have been processed.
 */
export class GatewayUnreachableError extends GatewayError {
  override readonly name = 'GatewayUnreachableError';
  /** `mayHaveLeft` is false if no connection was made, so that no byte of the request has left. */
  constructor(
    url: string,
    readonly reason: string,
    cause?: unknown,
    mayHaveLeft = true,
  ) {
    super('GATEWAY_UNREACHABLE', `cannot reach the gateway at ${url}: ${reason}`, {
      facts: { url },
      cause,
    });
    this.mayHaveLeft = mayHaveLeft;
  }
}

/**
 * A server answers, but CORS does not let pages of this origin read the answer. The server may be a proxy
 * that answered instead of the gateway. This error occurs only in browsers.
 */
export function originRefusedError(url: string, origin: string, cause: unknown): GatewayError {
  return new GatewayError(
    'GATEWAY_ORIGIN_REFUSED',
    `a server answers at ${url}, but lets no page of ${origin} read its response`,
    { facts: { url, origin }, cause },
  );
}

/** The HTTPS certificate is not trusted. Nothing was sent. */
export function gatewayUntrustedError(url: string, fault: string, cause: unknown): GatewayError {
  const error = new GatewayError('GATEWAY_UNTRUSTED', `the gateway at ${url} is not trusted: ${fault}`, {
    facts: { url },
    cause,
  });
  error.mayHaveLeft = false;
  return error;
}

/**
 * The gateway at `node` (a URL) is on another chain than the one that the client has used. Hashes are in lower-case hex.
 */
export function otherChainError(node: string, nodeGenesisHash: string, genesisHash: string): GatewayError {
  return new GatewayError(
    'NODE_CHAIN_MISMATCH',
    `the gateway at ${node} is on chain ${nodeGenesisHash}, and not on ${genesisHash} like the one before it`,
    { facts: { node, nodeGenesisHash, genesisHash } },
  );
}

/** Whether a byte of the request may have left before this error. */
export function mayHaveLeft(error: unknown): boolean {
  return !(error instanceof GatewayError) || error.mayHaveLeft;
}

/**
 * HTTP 429 or 503. A read may be repeated. A broadcast may have reached a node before the gateway answered.
 * `retryAfterMs` is the delay that the gateway requests, if any. `nodeError` is as in GatewayStatusError.
 */
export class GatewayBusyError extends GatewayError {
  override readonly name = 'GatewayBusyError';
  constructor(
    readonly status: 429 | 503,
    route: string,
    readonly retryAfterMs: number | undefined,
    readonly nodeError = '',
  ) {
    const fault = nodeError === '' ? 'is overloaded' : 'cannot answer';
    super(
      'GATEWAY_BUSY',
      `the gateway ${fault} (HTTP ${status} for ${route})${nodeError && `: ${nodeError}`}`,
      { facts: { status, route } },
    );
  }
}

/** An HTTP error status. `nodeError` is the error text of the answer without control characters, or empty. */
export class GatewayStatusError extends GatewayError {
  override readonly name = 'GatewayStatusError';
  constructor(
    readonly status: number,
    readonly nodeError: string,
    route: string,
  ) {
    super(
      'GATEWAY_STATUS',
      `the gateway answered HTTP ${status} for ${route}${nodeError && `: ${nodeError}`}`,
      {
        facts: { status, route, nodeError },
      },
    );
  }
}

/** HTTP statuses of a proxy whose node does not answer. */
const PROXY_STATUSES = [502, 504];

/** Whether a later retry of a read may succeed. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof GatewayBusyError ||
    error instanceof GatewayUnreachableError ||
    (error instanceof GatewayStatusError && PROXY_STATUSES.includes(error.status))
  );
}

/** The response violates the chain API; it was discarded. */
export class GatewayMalformedError extends GatewayError {
  override readonly name = 'GatewayMalformedError';
  constructor(
    route: string,
    readonly fault: string,
  ) {
    super('GATEWAY_MALFORMED', `invalid response from the gateway for ${route}: ${fault}`, {
      facts: { route },
    });
  }
}

/**
 * The gateway's statement about a transaction is false, as `facts` show. Its earlier statements about the
 * transaction are not trusted either.
 */
export function falseStatusError(fault: string, facts: ErrorFacts = {}): GatewayError {
  return new GatewayError('FALSE_STATUS', `the gateway reported a status that cannot be true: ${fault}`, {
    facts,
  });
}

/** The gateway's URL is not a plain http or https URL. */
export function gatewayUrlError(fault: string): GatewayError {
  return new GatewayError('GATEWAY_URL', `the gateway URL ${fault}`);
}
