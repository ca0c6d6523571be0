import { GatewayError } from '../errors.js';

/** No answer: refused, dropped, or not in time. Whether a request was acted on is then not known. */
export class GatewayUnreachableError extends GatewayError {
  constructor(url: string, reason: string, cause?: unknown) {
    super('GATEWAY_UNREACHABLE', `the gateway at ${url} cannot be reached: ${reason}`, {
      facts: { url },
      hint: 'Check the address and that the gateway runs; `zbc-signer devnet` starts a local one.',
      cause,
    });
  }
}

/** HTTPS with a certificate that proves nothing; nothing was sent. */
export class GatewayUntrustedError extends GatewayError {
  constructor(url: string, fault: string, cause: unknown) {
    super('GATEWAY_UNTRUSTED', `the gateway at ${url} cannot be trusted: ${fault}`, {
      facts: { url },
      hint: 'If the certificate is right, name the file (PEM) of its issuer in NODE_EXTRA_CA_CERTS.',
      cause,
    });
  }
}

/** HTTP 503: nothing was done, and the same request may be sent again. */
export class GatewayBusyError extends GatewayError {
  constructor(route: string) {
    super('GATEWAY_BUSY', `the gateway is under load (HTTP 503 for ${route})`, {
      facts: { status: 503, route },
      hint: 'Try again in a while.',
    });
  }
}

/** An HTTP status other than success; `nodeError` is the error text of the answer, cleaned, or empty. */
export class GatewayStatusError extends GatewayError {
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

/** An answer that is not what interface.md says; nothing of it is used. */
export class GatewayAnswerError extends GatewayError {
  constructor(route: string, fault: string) {
    super('GATEWAY_ANSWER', `the gateway's answer for ${route} makes no sense: ${fault}`, {
      facts: { route },
      hint: 'Check that the address is that of a gateway of the chain and not of something else.',
    });
  }
}

/** A gateway address that is not an http or https URL. */
export class GatewayUrlError extends GatewayError {
  constructor(fault: string) {
    super('GATEWAY_URL', `the gateway's address ${fault}`, {
      hint: 'Give an address such as http://127.0.0.1:8883',
    });
  }
}
