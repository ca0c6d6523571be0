/**
 * The codes of this package. Refusals by the device or the chain have codes of the host library
 * (docs/ERRORS.md).
 */
export type ConnectErrorCode =
  | 'WINDOW_BLOCKED'
  | 'WINDOW_CLOSED'
  | 'REQUEST_PENDING'
  | 'REQUEST_REFUSED'
  | 'INVALID_REQUEST'
  | 'INVALID_SIGNED_TEXT';

/** The reason why a request failed, or why its outcome is unknown. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';

  constructor(
    readonly code: ConnectErrorCode | (string & {}),
    message: string,
    /** Whether the chain may have the payment that the page requested. */
    readonly sent: 'no' | 'maybe' | 'yes' = 'no',
  ) {
    super(message);
  }
}
