import {
  type ChainErrorCode,
  cleanText,
  type ErrorDetails,
  formatStatusWord,
  type RefusalPlace,
  ZbcSignerError,
} from '@zbc-signer/chain';
import type { REMEDIES } from './generated/remedies.js';

/** Every error code of this package and of chain; docs/ERRORS.md has them all. Stable between releases. */
export type ErrorCode = ChainErrorCode | keyof typeof REMEDIES;

/** The codes of a TransportError (docs/ERRORS.md). */
export type TransportErrorCode =
  | 'TRANSPORT_FAILED'
  | 'DEVICE_NOT_FOUND'
  | 'DEVICE_NOT_ACCESSIBLE'
  | 'DEVICE_HELD'
  | 'DEVICE_DISCONNECTED'
  | 'DEVICE_UNRESPONSIVE'
  | 'REPLY_LOST'
  | 'SESSION_CLOSED'
  | 'WRONG_INTERFACE';

/** The connection to the device failed before the reply. */
export class TransportError extends ZbcSignerError {
  override readonly name = 'TransportError';
  constructor(code: TransportErrorCode, message: string, details?: ErrorDetails) {
    super(code, message, details);
  }
}

/** The message of what was thrown, for a text that a person reads. */
export function reasonOf(cause: unknown): string {
  return cleanText(cause instanceof Error ? cause.message : `${typeof cause} thrown`);
}

/** A signer threw an error that is not a ZbcSignerError. Nothing was signed. */
export function signerFailedError(cause: unknown): TransportError {
  return new TransportError('TRANSPORT_FAILED', `the signer failed: ${reasonOf(cause)}`, { cause });
}

/** The gateway is unreachable, or answered with an error; see `code`. */
export class GatewayError extends ZbcSignerError {
  override readonly name: string = 'GatewayError';
  /** Whether a byte of the request may have left. */
  mayHaveLeft = true;
}

/** A reply with a wrong length or with values out of range; it was discarded. */
export function invalidReplyError(message: string): ZbcSignerError {
  return new ZbcSignerError('INVALID_REPLY', message);
}

/** The device speaks another version of the protocol. */
export function protocolVersionError(protocolVersion: number, expected: number): ZbcSignerError {
  return new ZbcSignerError(
    'PROTOCOL_VERSION',
    `unsupported device protocol ${protocolVersion}, expected ${expected}`,
    {
      facts: { protocolVersion },
    },
  );
}

/** The device's public key is not the expected one. Both keys are in lower-case hex. Nothing was signed. */
export function publicKeyMismatchError(publicKey: string, expectedPublicKey: string): ZbcSignerError {
  return new ZbcSignerError(
    'PUBLIC_KEY_MISMATCH',
    `the device has public key ${publicKey}, expected ${expectedPublicKey}: nothing was signed`,
    {
      facts: { publicKey, expectedPublicKey },
    },
  );
}

/** The address in a reply does not belong to the public key in it. */
export function addressMismatchError(): ZbcSignerError {
  return new ZbcSignerError('ADDRESS_MISMATCH', 'the address from the device does not match its public key');
}

/** The signature does not verify against the device's public key; it was discarded. */
export function invalidSignatureError(): ZbcSignerError {
  return new ZbcSignerError(
    'INVALID_SIGNATURE',
    'the signature from the device does not verify against its public key',
  );
}

/**
 * The transaction hash from the device is not that of the signed bytes; hash and signature were discarded.
 */
export function transactionHashMismatchError(): ZbcSignerError {
  return new ZbcSignerError(
    'TRANSACTION_HASH_MISMATCH',
    'the transaction hash from the device does not match the signed bytes',
  );
}

/** The device answered with a status word other than 9000. */
export class DeviceError extends ZbcSignerError {
  override readonly name: string = 'DeviceError';
  constructor(
    code: ErrorCode,
    readonly statusWord: number,
    message: string,
    { facts, ...details }: ErrorDetails = {},
  ) {
    super(code, message, { ...details, facts: { ...facts, statusWord: formatStatusWord(statusWord) } });
  }
}

/**
 * The device refused the data to sign: `MALFORMED`, `SENDER_MISMATCH`, `UNSUPPORTED_TYPE`, `TOO_LARGE` or
 * `ESCROW_HASH_MISMATCH`; `field`, `offset` and `reason` say where and how.
 */
export class DeviceRefusedError extends DeviceError {
  override readonly name: string = 'DeviceRefusedError';
  readonly field: number | undefined;
  readonly offset: number | undefined;
  readonly reason: string | undefined;
  constructor(
    code: ErrorCode,
    statusWord: number,
    message: string,
    details: ErrorDetails,
    place?: RefusalPlace,
  ) {
    super(code, statusWord, message, details);
    this.field = place?.field;
    this.offset = place?.offset;
    this.reason = place?.reason;
  }
}
