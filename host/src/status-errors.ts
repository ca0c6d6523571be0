import * as status from '../../protocol/status-words.js';
import {
  DeviceBusyError,
  type DeviceError,
  DeviceInternalError,
  DeviceLockedError,
  DeviceProtocolError,
  type DeviceRefusedError,
  type ErrorFacts,
  EscrowHashMismatchError,
  formatStatusWord,
  MalformedError,
  type RefusalPlace,
  SenderMismatchError,
  TooLargeError,
  UnknownStatusError,
  UnsupportedTypeError,
  UserRejectedError,
  WrongAppError,
} from './errors.js';
import { describeDetail, fieldName, parseDetail, type Subject, sizeOf } from './refusal-detail.js';
import { APP_NAME } from './replies.js';

interface Refusal {
  code: string;
  type: new (...parameters: ConstructorParameters<typeof DeviceRefusedError>) => DeviceRefusedError;
  /** Said when the device gives no detail. */
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
      words: "it is for another account than this device's",
      hint: 'Choose the account that the transaction names, on the device that holds it.',
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
      hint: 'Give the escrowed transaction as the chain holds it: its unsigned bytes and its signature.',
    },
  ],
]);

const UNKNOWN_CHAINS_HINT =
  'Check the network. To allow chains that the device does not know: Settings, Unknown chains, on the device.';

/** The typed error for a status word other than 9000, with the reply's data as its detail. */
export function errorForStatus(statusWord: number, data: Uint8Array, subject: Subject): DeviceError {
  const place = parseDetail(data);
  const refusal = REFUSALS.get(statusWord);
  if (refusal !== undefined) {
    return refusedError(refusal, statusWord, place, subject);
  }
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
        'a self-check in the device failed; it gave nothing out',
        {
          hint: 'Try again; if it happens again, do not use this device.',
        },
      );
    default:
      return protocolError(statusWord);
  }
}

const PROTOCOL_ERRORS: ReadonlyMap<number, [code: string, words: string]> = new Map([
  [status.WRONG_LENGTH, ['WRONG_LENGTH', 'the device did not take the length of a command']],
  [status.WRONG_P1P2, ['WRONG_P1P2', 'the device did not take the parameters of a command']],
  [status.BAD_STATE, ['BAD_STATE', 'the device dropped the upload before it was complete']],
]);

function protocolError(statusWord: number): DeviceError {
  const known = PROTOCOL_ERRORS.get(statusWord);
  if (known === undefined) {
    const message = `the device answered with the unknown status ${formatStatusWord(statusWord)}`;
    return new UnknownStatusError('UNKNOWN_STATUS', statusWord, message);
  }
  const [code, words] = known;
  return new DeviceProtocolError(code, statusWord, words, {
    hint: 'Another program may be using the device. Close it and try again.',
  });
}
