import { errors } from 'undici';

/**
 * The kinds are: `unreachable`, the connection failed; `unreachable-in-time`, the connection timed out;
 * `timeout`, the request or its wait in the queue timed out; `broken`, the response is invalid or incomplete;
 * `cancelled`, the client has left; `busy`, too many requests wait for the node, or
 * the memory for responses is full.
 */
type NodeFaultKind = 'unreachable' | 'unreachable-in-time' | 'timeout' | 'broken' | 'cancelled' | 'busy';

/**
 * Thrown or returned if a node gave no valid response. The message contains no text from the node, so it can
 * be shown to clients.
 */
export class NodeFault extends Error {
  override readonly name = 'NodeFault';
  readonly kind: NodeFaultKind;
  /** Whether a byte of the request may have reached the node. */
  readonly sent: boolean;

  constructor(kind: NodeFaultKind, sent: boolean, message: string) {
    super(message);
    this.kind = kind;
    this.sent = sent;
  }
}

/** The node sent what is not a valid response. */
export function malformed(): NodeFault {
  return new NodeFault('broken', true, 'sent a malformed response');
}

/** The node sent more than is accepted. */
export function tooLarge(): NodeFault {
  return new NodeFault('broken', true, 'sent a response that is too large');
}

/**
 * Converts an error of undici to a NodeFault. Before anything was `sent`, the error can only concern the
 * connection.
 */
export function nodeFaultOf(error: Error, sent: boolean): NodeFault {
  if (error instanceof NodeFault) return error;
  if (error instanceof errors.ConnectTimeoutError) {
    return new NodeFault('unreachable-in-time', sent, 'could not be reached in time');
  }
  if (!sent) {
    const reason = isCertificateFault(error)
      ? 'presented a certificate that is not accepted'
      : 'refuses connections';
    return new NodeFault('unreachable', sent, reason);
  }
  if (error instanceof errors.HeadersTimeoutError) {
    return new NodeFault('timeout', sent, 'did not respond in time');
  }
  if (error instanceof errors.BodyTimeoutError) return new NodeFault('timeout', sent, 'stopped responding');
  if (error instanceof errors.SocketError) return new NodeFault('broken', sent, 'closed the connection');
  const reset = 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
  return reset ? new NodeFault('broken', sent, 'closed the connection') : malformed();
}

/** Error codes of OpenSSL's check of the certificate chain, and of Node's check of the name. */
const CERTIFICATE_FAULT = /^(?:UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|INVALID_CA|ERR_TLS_CERT_)/;

function isCertificateFault(error: Error): boolean {
  return 'code' in error && CERTIFICATE_FAULT.test(String(error.code));
}
