/** What an error is about, for programs: plain values under stable names. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean>>;

export interface ErrorDetails {
  facts?: ErrorFacts;
  /** What a person can do about it, a sentence. */
  hint?: string | undefined;
  cause?: unknown;
}

/** The root of everything this library throws on purpose; `code` never changes from one release to the next. */
export class SignerError extends Error {
  readonly facts: ErrorFacts;
  readonly hint: string | undefined;
  constructor(
    readonly code: string,
    message: string,
    { facts = {}, hint, cause }: ErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.facts = facts;
    this.hint = hint;
  }
}

/** An argument that no command can carry, such as an account of 1.5: nothing was sent. */
export class InvalidInputError extends SignerError {
  constructor(message: string) {
    super('INVALID_INPUT', message);
  }
}

/** The caller's AbortSignal fired; `cause` is its reason. */
export class AbortedError extends SignerError {
  constructor(reason: unknown) {
    super('ABORTED', 'cancelled before the device answered', { cause: reason });
  }
}

export type TransportErrorCode =
  | 'TRANSPORT_FAILED'
  | 'DEVICE_NOT_FOUND'
  | 'DEVICE_NOT_ACCESSIBLE'
  | 'DEVICE_DISCONNECTED';

/** No reply came: the connection could not be made, or failed. */
export class TransportError extends SignerError {
  constructor(code: TransportErrorCode, message: string, details?: ErrorDetails) {
    super(code, message, details);
  }
}

/** The gateway could not be reached, or answered with an error; `code` says which. */
export class GatewayError extends SignerError {}

/** A reply came that no signer gives: a wrong length, or bytes out of range. Nothing of it was used. */
export class InvalidReplyError extends SignerError {
  constructor(message: string) {
    super('INVALID_REPLY', message, {
      hint: 'Another program may be using the device, or it is not a ZBC signer.',
    });
  }
}

/** The address in a reply is not the address of the public key beside it. */
export class AddressMismatchError extends SignerError {
  constructor() {
    super('ADDRESS_MISMATCH', 'the device gave an address that does not belong to the public key it gave', {
      hint: 'Do not use this device.',
    });
  }
}

/** The signature does not verify against the device's own public key; it was not handed out. */
export class InvalidSignatureError extends SignerError {
  constructor() {
    super('INVALID_SIGNATURE', 'the signature from the device does not verify against its public key', {
      hint: 'Nothing was sent. Another program may have used the device meanwhile; if it happens again, do not use it.',
    });
  }
}

/** The tx_hash of the reply is not the hash of what was sent and signed; neither it nor the signature was handed out. */
export class TransactionHashMismatchError extends SignerError {
  constructor() {
    super(
      'TRANSACTION_HASH_MISMATCH',
      'the device gave a transaction hash that is not that of the signed transaction',
      {
        hint: 'Nothing was sent. If it happens again, do not use this device.',
      },
    );
  }
}

/** The device answered with a status word other than 9000. */
export class DeviceError extends SignerError {
  constructor(
    code: string,
    readonly statusWord: number,
    message: string,
    { facts, ...details }: ErrorDetails = {},
  ) {
    super(code, message, { ...details, facts: { ...facts, statusWord: formatStatusWord(statusWord) } });
  }
}

/** The person said no on the device, or a setting that they turned on did. */
export class UserRejectedError extends DeviceError {}

/** The device has no seed to give until it is unlocked or set up. */
export class DeviceLockedError extends DeviceError {}

/** A review is on the device's screen; it stays there untouched. */
export class DeviceBusyError extends DeviceError {}

/** The device runs another app; `statusWord` is 9000 when its name says so. */
export class WrongAppError extends DeviceError {}

/** The device did not take the form of a command: a length, a parameter, or data without a header. */
export class DeviceProtocolError extends DeviceError {}

/** A self-check in the device failed, and it withheld what it had computed. */
export class DeviceInternalError extends DeviceError {}

/** A status word that signer-protocol §1.4 does not list. */
export class UnknownStatusError extends DeviceError {}

/** Where and why the device refused, from the 4 bytes before the status word (signer-protocol §1.4). */
export interface RefusalPlace {
  /** Row of the wire format, 1 to 11; 0 the command's header, 12 the linked transaction. */
  field: number;
  /** From the start of the buffer that the field is in. */
  offset: number;
  /** A name of protocol/refusal-reasons.ts in lower case with dashes, or `reason-N` for a number that is not there. */
  reason: string;
}

/** The device refused what it was given to sign: one subclass for each of the five status words. */
export class DeviceRefusedError extends DeviceError {
  readonly field: number | undefined;
  readonly offset: number | undefined;
  readonly reason: string | undefined;
  constructor(
    code: string,
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

export class MalformedError extends DeviceRefusedError {}
/** The sender, or the approver of a linked transaction, is not the account that was to sign. */
export class SenderMismatchError extends DeviceRefusedError {}
export class UnsupportedTypeError extends DeviceRefusedError {}
/** `facts.actualBytes` and `facts.allowedBytes` say how much too large. */
export class TooLargeError extends DeviceRefusedError {}
export class EscrowHashMismatchError extends DeviceRefusedError {}

/** Four hex digits, upper case, as the documents write status words. */
export function formatStatusWord(statusWord: number): string {
  return statusWord.toString(16).toUpperCase().padStart(4, '0');
}
