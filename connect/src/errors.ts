/** The codes of this package; refusals of the device or the chain have the host library's (docs/ERRORS.md). */
export type ConnectErrorCode =
  | 'WINDOW_BLOCKED'
  | 'WINDOW_CLOSED'
  | 'REQUEST_PENDING'
  | 'REQUEST_REFUSED'
  | 'INVALID_REQUEST'
  | 'INVALID_SIGNED_TEXT';

/** Why a request failed, or why its outcome is unknown. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';

  constructor(
    readonly code: ConnectErrorCode | (string & {}),
    message: string,
    /** Whether the chain may have the payment that was asked for. */
    readonly sent: 'no' | 'maybe' | 'yes' = 'no',
  ) {
    super(message);
  }
}
