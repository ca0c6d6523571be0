import { fieldName, formatStatusWord, parseRefusal, type RefusalPlace } from '@zbc-signer/chain';
import * as status from '@zbc-signer/protocol/status-words';
import type { SignerErrorCode } from './error-codes.js';
import {
  DeviceBusyError,
  type DeviceError,
  DeviceInternalError,
  DeviceLockedError,
  DeviceProtocolError,
  type DeviceRefusedError,
  type ErrorFacts,
  EscrowHashMismatchError,
  MalformedError,
  SenderMismatchError,
  TooLargeError,
  UnknownStatusError,
  UnsupportedTypeError,
  UserRejectedError,
  WrongAppError,
} from './errors.js';
import { describeDetail, type Subject, sizeOf } from './refusal-detail.js';
import { APP_NAME } from './replies.js';

interface Refusal {
  code: SignerErrorCode;
  type: new (...parameters: ConstructorParameters<typeof DeviceRefusedError>) => DeviceRefusedError;
  /** The reason if the device gives no detail. */
  words: string;
  hint?: string;
}

const REFUSALS: ReadonlyMap<number, Refusal> = new Map([
  [status.MALFORMED, { code: 'MALFORMED', type: MalformedError, words: 'it is malformed' }],
  [
    status.SENDER_MISMATCH,
    {
      code: 'SENDER_MISMATCH',
      type: SenderMismatchError,
      words: "it is for an account other than this device's",
      hint: 'Use the account that the transaction names, on its device.',
    },
  ],
  [
    status.UNSUPPORTED_TYPE,
    { code: 'UNSUPPORTED_TYPE', type: UnsupportedTypeError, words: 'its type is not supported' },
  ],
  [status.TOO_LARGE, { code: 'TOO_LARGE', type: TooLargeError, words: 'it is too large' }],
  [
    status.ESCROW_HASH_MISMATCH,
    {
      code: 'ESCROW_HASH_MISMATCH',
      type: EscrowHashMismatchError,
      words: 'the linked transaction is not the one whose hash is to be approved',
      hint: 'Pass the escrowed transaction as on the chain: its unsigned bytes and its signature.',
    },
  ],
]);

const UNKNOWN_CHAINS_HINT =
  'Check the network. To allow unknown chains: Settings, Unknown chains, on the device.';

/** The typed error for a status word other than 9000; `data` is the reply's data. */
export function errorForStatus(statusWord: number, data: Uint8Array, subject: Subject): DeviceError {
  const place = parseRefusal(data);
  const refusal = REFUSALS.get(statusWord);
  if (refusal !== undefined) return refusedError(refusal, statusWord, place, subject);
  return statusWord === status.USER_REJECTED ? rejectedError(place, subject) : plainError(statusWord);
}

function refusedError(
  { code, type, words, hint }: Refusal,
  statusWord: number,
  place: RefusalPlace | undefined,
  subject: Subject,
): DeviceRefusedError {
  const why = place === undefined ? words : describeDetail(place, subject);
  const details = { facts: place === undefined ? {} : factsOf(place, subject), hint };
  return new type(code, statusWord, `the device refused the ${subject.noun}: ${why}`, details, place);
}

function rejectedError(place: RefusalPlace | undefined, subject: Subject): UserRejectedError {
  if (place === undefined) {
    return new UserRejectedError('USER_REJECTED', status.USER_REJECTED, 'rejected on the device');
  }
  const message = `the device rejected the ${subject.noun}: ${describeDetail(place, subject)}`;
  const hint = place.reason === 'unknown-chain' ? UNKNOWN_CHAINS_HINT : undefined;
  return new UserRejectedError('USER_REJECTED', status.USER_REJECTED, message, {
    facts: factsOf(place, subject),
    hint,
  });
}

function factsOf(place: RefusalPlace, subject: Subject): ErrorFacts {
  const size = sizeOf(place, subject);
  const sizes = size === undefined ? {} : { actualBytes: size.actual, allowedBytes: size.allowed };
  return { field: fieldName(place.field), offset: place.offset, reason: place.reason, ...sizes };
}

function plainError(statusWord: number): DeviceError {
  switch (statusWord) {
    case status.LOCKED:
      return new DeviceLockedError('LOCKED', statusWord, 'the device is locked', {
        hint: 'Unlock it, or set it up with a seed.',
      });
    case status.BUSY:
      return new DeviceBusyError('BUSY', statusWord, 'the device is busy: a review is on its screen', {
        hint: 'Approve or reject it on the device first.',
      });
    case status.CLA_NOT_SUPPORTED:
    case status.INS_NOT_SUPPORTED:
      return new WrongAppError('WRONG_APP', statusWord, `the device does not run ${APP_NAME}`, {
        hint: `Open ${APP_NAME} on the device.`,
      });
    case status.INTERNAL:
      return new DeviceInternalError(
        'INTERNAL',
        statusWord,
        'a self-check in the device failed; it returned nothing',
        {
          hint: 'Try again; if it happens again, do not use this device.',
        },
      );
    default:
      return protocolError(statusWord);
  }
}

const PROTOCOL_ERRORS: ReadonlyMap<number, [code: SignerErrorCode, words: string]> = new Map([
  [status.WRONG_LENGTH, ['WRONG_LENGTH', 'the device rejected the command length']],
  [status.WRONG_P1P2, ['WRONG_P1P2', 'the device rejected the command parameters']],
  [status.BAD_STATE, ['BAD_STATE', 'the device dropped the upload before it was complete']],
]);

function protocolError(statusWord: number): DeviceError {
  const known = PROTOCOL_ERRORS.get(statusWord);
  if (known === undefined) {
    const message = `unknown status ${formatStatusWord(statusWord)} from the device`;
    return new UnknownStatusError('UNKNOWN_STATUS', statusWord, message);
  }
  const [code, words] = known;
  return new DeviceProtocolError(code, statusWord, words, {
    hint: 'Another program may be using the device. Close it and try again.',
  });
}
