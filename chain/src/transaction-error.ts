import { ZbcSignerError } from './error.js';
import { FIELD_NAMES, REFUSAL_MESSAGES, type RefusalReason } from './refusal.js';

/** Name of the status word with which a device refuses the bytes that a TransactionError is about. */
export type TransactionErrorStatus = 'MALFORMED' | 'TOO_LARGE' | 'UNSUPPORTED_TYPE' | 'SENDER_MISMATCH';

/** A length and its limit, in bytes. */
export interface SizeLimit {
  actual: number;
  allowed: number;
}

/**
 * Bytes that a signer refuses. `field` is the number of a field in the wire format, 0 for the whole input, or
 * 12 for a linked transaction. `offset` is in bytes.
 */
export class TransactionError extends ZbcSignerError {
  override readonly name = 'TransactionError';
  readonly status: TransactionErrorStatus;
  constructor(
    readonly reason: RefusalReason,
    readonly field: number,
    readonly offset: number,
    readonly size?: SizeLimit,
  ) {
    const status = statusOf(reason);
    super(
      'INVALID_TRANSACTION',
      `${REFUSAL_MESSAGES[reason]}${describeSize(size)} (${FIELD_NAMES[field]}, byte ${offset})`,
      { facts: { reason, field, offset, status } },
    );
    this.status = status;
  }
}

function describeSize(size: SizeLimit | undefined): string {
  return size === undefined ? '' : `: ${size.actual} bytes, at most ${size.allowed}`;
}

function statusOf(reason: RefusalReason): TransactionErrorStatus {
  switch (reason) {
    case 'tx-too-large':
    case 'linked-too-large':
    case 'instruction-too-long':
    case 'message-too-long':
      return 'TOO_LARGE';
    case 'type-unsupported':
      return 'UNSUPPORTED_TYPE';
    case 'sender-not-own':
    case 'linked-approver':
      return 'SENDER_MISMATCH';
    default:
      return 'MALFORMED';
  }
}
