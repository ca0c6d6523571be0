import { formatStatusWord, type RefusalPlace } from '@zbc-signer/chain';
import type { SignerErrorCode } from './error-codes.js';

/** Details of an error for programs: plain values under stable names. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean>>;

export interface ErrorDetails {
  facts?: ErrorFacts;
  /** A remedy for the user, as a sentence. */
  hint?: string | undefined;
  cause?: unknown;
}

/** The root of this library's errors; `code` is stable between releases. */
export class SignerError extends Error {
  override readonly name: string = 'SignerError';
  facts: ErrorFacts;
  readonly hint: string | undefined;
  constructor(
    readonly code: SignerErrorCode,
    message: string,
    { facts = {}, hint, cause }: ErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.facts = facts;
    this.hint = hint;
  }
}

/** An argument that no command can carry, such as account 1.5. Nothing was sent. */
export class InvalidInputError extends SignerError {
  override readonly name = 'InvalidInputError';
  constructor(message: string) {
    super('INVALID_INPUT', message);
  }
}

/** The AbortSignal fired before the device answered; `cause` is its reason. */
export class AbortedError extends SignerError {
  override readonly name = 'AbortedError';
  constructor(reason: unknown) {
    super('ABORTED', 'cancelled before the device answered', { cause: reason });
  }
}

export type TransportErrorCode =
  | 'TRANSPORT_FAILED'
  | 'DEVICE_NOT_FOUND'
  | 'DEVICE_NOT_ACCESSIBLE'
  | 'DEVICE_HELD'
  | 'DEVICE_DISCONNECTED'
  | 'REPLY_LOST'
  | 'WRONG_INTERFACE';

/** The connection to the device could not be made, or failed before the reply. */
export class TransportError extends SignerError {
  override readonly name = 'TransportError';
  constructor(code: TransportErrorCode, message: string, details?: ErrorDetails) {
    super(code, message, details);
  }
}

/** The gateway is unreachable, or answered with an error; see `code`. */
export class GatewayError extends SignerError {
  override readonly name: string = 'GatewayError';
}

/** A reply of a wrong length or with values out of range. None of it was used. */
export class InvalidReplyError extends SignerError {
  override readonly name = 'InvalidReplyError';
  constructor(message: string) {
    super('INVALID_REPLY', message, {
      hint: 'Another program may be using the device, or it is not a ZBC signer.',
    });
  }
}

/** The device speaks another version of the protocol. */
export class ProtocolVersionError extends SignerError {
  override readonly name = 'ProtocolVersionError';
  constructor(protocolVersion: number, expected: number) {
    super('PROTOCOL_VERSION', `unsupported device protocol ${protocolVersion}, expected ${expected}`, {
      facts: { protocolVersion },
      hint: 'Update this program or the device.',
    });
  }
}

/** The device's public key is not the pinned one; both in lower-case hex. Nothing was signed. */
export class PublicKeyMismatchError extends SignerError {
  override readonly name = 'PublicKeyMismatchError';
  constructor(publicKey: string, expectedPublicKey: string) {
    super(
      'PUBLIC_KEY_MISMATCH',
      `the device has public key ${publicKey}, expected ${expectedPublicKey}: nothing was signed`,
      {
        facts: { publicKey, expectedPublicKey },
        hint: 'Use the device and the account that hold the expected key.',
      },
    );
  }
}

/** The address in a reply does not belong to the public key beside it. */
export class AddressMismatchError extends SignerError {
  override readonly name = 'AddressMismatchError';
  constructor() {
    super('ADDRESS_MISMATCH', 'the address from the device does not match its public key', {
      hint: 'Do not use this device.',
    });
  }
}

/** The signature does not verify against the device's public key; it was discarded. */
export class InvalidSignatureError extends SignerError {
  override readonly name = 'InvalidSignatureError';
  constructor() {
    super('INVALID_SIGNATURE', 'the signature from the device does not verify against its public key', {
      hint: 'Nothing was sent. Another program may be using the device; if it happens again, do not use it.',
    });
  }
}

/**
 * The transaction hash from the device is not that of the signed bytes; hash and signature were discarded.
 */
export class TransactionHashMismatchError extends SignerError {
  override readonly name = 'TransactionHashMismatchError';
  constructor() {
    super(
      'TRANSACTION_HASH_MISMATCH',
      'the transaction hash from the device does not match the signed bytes',
      {
        hint: 'Nothing was sent. If it happens again, do not use this device.',
      },
    );
  }
}

/** The device answered with a status word other than 9000. */
export class DeviceError extends SignerError {
  override readonly name: string = 'DeviceError';
  constructor(
    code: SignerErrorCode,
    readonly statusWord: number,
    message: string,
    { facts, ...details }: ErrorDetails = {},
  ) {
    super(code, message, { ...details, facts: { ...facts, statusWord: formatStatusWord(statusWord) } });
  }
}

/** The user rejected on the device, or a setting of the device did. */
export class UserRejectedError extends DeviceError {
  override readonly name = 'UserRejectedError';
}

/** The device is locked, or has no seed. */
export class DeviceLockedError extends DeviceError {
  override readonly name = 'DeviceLockedError';
}

/** A review is on the device's screen; it stays there. */
export class DeviceBusyError extends DeviceError {
  override readonly name = 'DeviceBusyError';
}

/** The device runs another app; `statusWord` is 9000 if its name says so. */
export class WrongAppError extends DeviceError {
  override readonly name = 'WrongAppError';
}

/** The device rejected the form of a command: its length, its parameters, or data without a header. */
export class DeviceProtocolError extends DeviceError {
  override readonly name = 'DeviceProtocolError';
}

/** A self-check in the device failed, and it withheld its result. */
export class DeviceInternalError extends DeviceError {
  override readonly name = 'DeviceInternalError';
}

/** A status word that the protocol does not define. */
export class UnknownStatusError extends DeviceError {
  override readonly name = 'UnknownStatusError';
}

/** The device refused what it was given to sign: one subclass for each of the five status words. */
export class DeviceRefusedError extends DeviceError {
  override readonly name: string = 'DeviceRefusedError';
  readonly field: number | undefined;
  readonly offset: number | undefined;
  readonly reason: string | undefined;
  constructor(
    code: SignerErrorCode,
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

/** The bytes are malformed; `field`, `offset` and `reason` say where and how. */
export class MalformedError extends DeviceRefusedError {
  override readonly name = 'MalformedError';
}

/**
 * The sender, or the approver of a linked transaction, is not the signing account. The host throws it too,
 * before the upload.
 */
export class SenderMismatchError extends DeviceRefusedError {
  override readonly name = 'SenderMismatchError';
}

/** The device does not sign this transaction type. */
export class UnsupportedTypeError extends DeviceRefusedError {
  override readonly name = 'UnsupportedTypeError';
}

/** Over a size limit: `facts.actualBytes` and `facts.allowedBytes`. */
export class TooLargeError extends DeviceRefusedError {
  override readonly name = 'TooLargeError';
}

/** The linked transaction is not the one whose hash is to be approved. */
export class EscrowHashMismatchError extends DeviceRefusedError {
  override readonly name = 'EscrowHashMismatchError';
}
