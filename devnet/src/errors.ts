import { RequestError } from '@zbc-signer/gateway/server';

/**
 * Thrown for a broadcast that breaks a rule. The status is 400, and the message has the prefix of
 * docs/gateway/routes.md#validation-order.
 */
export class ValidationError extends RequestError {
  override readonly name = 'ValidationError';

  constructor(reason: string) {
    super(400, `Transaction validation failed: ValidationError: ${reason}`);
  }
}

/** Every code of a DevnetError. */
export type DevnetErrorCode =
  | 'DATA_UNUSABLE'
  | 'DATA_IN_USE'
  | 'DATA_OF_ANOTHER_NETWORK'
  | 'DATA_OF_ANOTHER_VERSION'
  | 'DATA_BROKEN'
  | 'FOLLOWED_NODE_UNKNOWN';

/** Thrown if a development network or one of its nodes cannot start. */
export class DevnetError extends Error {
  override readonly name = 'DevnetError';
  readonly code: DevnetErrorCode;

  constructor(code: DevnetErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
