import { GatewayError } from '../errors.js';

/** No answer: connection refused, dropped or timed out. The request may have been processed. */
export class GatewayUnreachableError extends GatewayError {
  override readonly name = 'GatewayUnreachableError';
  constructor(url: string, reason: string, cause?: unknown) {
    super('GATEWAY_UNREACHABLE', `cannot reach the gateway at ${url}: ${reason}`, {
      facts: { url },
      cause,
    });
  }
}

/** The HTTPS certificate is not trusted. Nothing was sent. */
export function gatewayUntrustedError(url: string, fault: string, cause: unknown): GatewayError {
  return new GatewayError('GATEWAY_UNTRUSTED', `the gateway at ${url} is not trusted: ${fault}`, {
    facts: { url },
    cause,
  });
}

/** HTTP 503: nothing was done, and the request may be repeated. */
export class GatewayBusyError extends GatewayError {
  override readonly name = 'GatewayBusyError';
  constructor(route: string) {
    super('GATEWAY_BUSY', `the gateway is overloaded (HTTP 503 for ${route})`, {
      facts: { status: 503, route },
    });
  }
}

/** An HTTP error status; `nodeError` is the cleaned error text of the answer, or empty. */
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

/** An invalid answer. None of it was used. */
export class GatewayMalformedError extends GatewayError {
  override readonly name = 'GatewayMalformedError';
  constructor(route: string, fault: string) {
    super('GATEWAY_MALFORMED', `invalid response from the gateway for ${route}: ${fault}`, {
      facts: { route },
    });
  }
}

/** The gateway's URL is not a plain http or https URL. */
export function gatewayUrlError(fault: string): GatewayError {
  return new GatewayError('GATEWAY_URL', `the gateway URL ${fault}`);
}
