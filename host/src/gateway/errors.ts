import { GatewayError } from '../errors.js';

/** No answer: connection refused, dropped or timed out. The request may have been processed. */
export class GatewayUnreachableError extends GatewayError {
  override readonly name = 'GatewayUnreachableError';
  constructor(url: string, reason: string, cause?: unknown) {
    super('GATEWAY_UNREACHABLE', `cannot reach the gateway at ${url}: ${reason}`, {
      facts: { url },
      hint: 'Check the URL and that the gateway is running; `zbc-signer devnet` starts a local one.',
      cause,
    });
  }
}

/** The HTTPS certificate is not trusted. Nothing was sent. */
export class GatewayUntrustedError extends GatewayError {
  override readonly name = 'GatewayUntrustedError';
  constructor(url: string, fault: string, cause: unknown) {
    super('GATEWAY_UNTRUSTED', `the gateway at ${url} is not trusted: ${fault}`, {
      facts: { url },
      hint: 'If the certificate is right, set NODE_EXTRA_CA_CERTS to the PEM file of its issuer.',
      cause,
    });
  }
}

/** HTTP 503: nothing was done, and the request may be repeated. */
export class GatewayBusyError extends GatewayError {
  override readonly name = 'GatewayBusyError';
  constructor(route: string) {
    super('GATEWAY_BUSY', `the gateway is overloaded (HTTP 503 for ${route})`, {
      facts: { status: 503, route },
      hint: 'Try again later.',
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
      hint: 'Check that the URL is that of a gateway.',
    });
  }
}

/** The gateway's URL is not a plain http or https URL. */
export class GatewayUrlError extends GatewayError {
  override readonly name = 'GatewayUrlError';
  constructor(fault: string) {
    super('GATEWAY_URL', `the gateway URL ${fault}`, {
      hint: 'Use a URL such as http://127.0.0.1:8883.',
    });
  }
}
