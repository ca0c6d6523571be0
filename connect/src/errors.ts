/** The codes of this package; what the device or the chain refused has that of the host library (docs/ERRORS.md). */
export type ConnectErrorCode =
  | 'WINDOW_BLOCKED'
  | 'WINDOW_CLOSED'
  | 'REQUEST_PENDING'
  | 'REQUEST_REFUSED'
  | 'INVALID_REQUEST'
  | 'INVALID_SIGNED_TEXT';

/** Why nothing, or nothing certain, came of a request. */
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
