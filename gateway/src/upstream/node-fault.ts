import { errors } from 'undici';

/**
 * `unreachable`: no connection was made; `unreachable-in-time`: none was made yet; `timeout`: the request or its
 * turn took too long; `broken`: what came is no whole answer; `cancelled`: nobody waits for it any more.
 */
export type NodeFaultKind = 'unreachable' | 'unreachable-in-time' | 'timeout' | 'broken' | 'cancelled';

/** A node that gave no answer. Its message is ours, so that it can be shown. */
export class NodeFault extends Error {
  readonly kind: NodeFaultKind;
  /** Whether a byte of the request may have reached the node. */
  readonly sent: boolean;

  constructor(kind: NodeFaultKind, sent: boolean, message: string) {
    super(message);
    this.name = 'NodeFault';
    this.kind = kind;
    this.sent = sent;
  }
}

/** What undici's error means; before anything was `sent` it can only be about the connection. */
export function nodeFaultOf(error: Error, sent: boolean): NodeFault {
  if (error instanceof NodeFault) return error;
  if (error instanceof errors.ConnectTimeoutError)
    return new NodeFault('unreachable-in-time', sent, 'cannot be reached in time');
  if (!sent) return new NodeFault('unreachable', sent, 'refuses connections');
  if (error instanceof errors.HeadersTimeoutError)
    return new NodeFault('timeout', sent, 'does not answer in time');
  if (error instanceof errors.BodyTimeoutError)
    return new NodeFault('timeout', sent, 'stopped in its answer');
  if (error instanceof errors.SocketError) return new NodeFault('broken', sent, 'broke the connection');
  const reset = 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
  return new NodeFault('broken', sent, reset ? 'broke the connection' : 'gave a malformed answer');
}
