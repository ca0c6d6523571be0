import {
  type ErrorFacts,
  fieldName,
  formatStatusWord,
  parseRefusal,
  REFUSAL_MESSAGES,
  type RefusalPlace,
  ZbcSignerError,
} from '@zbc-signer/chain';
import * as status from '@zbc-signer/protocol/status-words';
import { DeviceError, DeviceRefusedError, type ErrorCode } from '../errors.js';
import { describeDetail, type Subject, sizeOf } from './refusal-detail.js';
import { APP_NAME } from './replies.js';

type Words = readonly [code: ErrorCode, words: string];

/** Refusals of the data to sign; the words are used if the device gives no detail. */
const REFUSALS: ReadonlyMap<number, Words> = new Map([
  [status.MALFORMED, ['MALFORMED', 'it is malformed']],
  [status.SENDER_MISMATCH, ['SENDER_MISMATCH', "it is for an account other than this device's"]],
  [status.UNSUPPORTED_TYPE, ['UNSUPPORTED_TYPE', 'its type is not supported']],
  [status.TOO_LARGE, ['TOO_LARGE', 'it is too large']],
  [status.ESCROW_HASH_MISMATCH, ['ESCROW_HASH_MISMATCH', REFUSAL_MESSAGES['escrow-hash']]],
]);

const CONTACT_PROOF: Words = ['CONTACT_PROOF', REFUSAL_MESSAGES['contact-proof']];
const WRONG_APP: Words = ['WRONG_APP', `the device does not run ${APP_NAME}`];

const OTHERS: ReadonlyMap<number, Words> = new Map([
  [status.LOCKED, ['LOCKED', 'the device is locked']],
  [status.BUSY, ['BUSY', 'the device is busy: a review is on its screen']],
  [status.CLA_NOT_SUPPORTED, WRONG_APP],
  [status.INS_NOT_SUPPORTED, WRONG_APP],
  [status.INTERNAL, ['INTERNAL', 'a self-check in the device failed; it returned nothing']],
  [status.WRONG_LENGTH, ['WRONG_LENGTH', 'the device refused the command length']],
  [status.WRONG_P1P2, ['WRONG_P1P2', 'the device refused the command parameters']],
  [status.BAD_STATE, ['BAD_STATE', 'the device dropped the upload before it was complete']],
]);

const UNKNOWN_CHAINS_HINT =
  'Check the network. To allow unknown chains: Settings, Unknown chains, on the device.';

/** The firmware of the device lacks a feature, which it refused. Nothing was signed. */
export function notSupportedError(feature: string, firmwareVersion: string): ZbcSignerError {
  const message = `the firmware ${firmwareVersion} of the device does not support ${feature}`;
  return new ZbcSignerError('NOT_SUPPORTED', message, { facts: { feature, firmwareVersion } });
}

/** The error for a status word other than 9000; `data` is the reply's data. */
export function errorForStatus(statusWord: number, data: Uint8Array, subject: Subject): DeviceError {
  const place = parseRefusal(data);
  const refusal = place?.reason === 'contact-proof' ? CONTACT_PROOF : REFUSALS.get(statusWord);
  if (refusal !== undefined) return refusedError(refusal, statusWord, place, subject);
  if (statusWord === status.USER_REJECTED) return rejectedError(place, subject);
  const unknown: Words = ['UNKNOWN_STATUS', `unknown status ${formatStatusWord(statusWord)} from the device`];
  const [code, words] = OTHERS.get(statusWord) ?? unknown;
  return new DeviceError(code, statusWord, words);
}

function refusedError(
  [code, words]: Words,
  statusWord: number,
  place: RefusalPlace | undefined,
  subject: Subject,
): DeviceRefusedError {
  const why = place === undefined ? words : describeDetail(place, subject);
  const facts = place === undefined ? {} : factsOf(place, subject);
  const message = `the device refused the ${subject.noun}: ${why}`;
  return new DeviceRefusedError(code, statusWord, message, { facts }, place);
}

function rejectedError(place: RefusalPlace | undefined, subject: Subject): DeviceError {
  if (place === undefined) {
    return new DeviceError('USER_REJECTED', status.USER_REJECTED, 'rejected on the device');
  }
  const message = `the device refused the ${subject.noun}: ${describeDetail(place, subject)}`;
  const code = place.reason === 'contact-required' ? 'CONTACT_REQUIRED' : 'USER_REJECTED';
  return new DeviceError(code, status.USER_REJECTED, message, {
    facts: factsOf(place, subject),
    ...(place.reason === 'unknown-chain' && { hint: UNKNOWN_CHAINS_HINT }),
  });
}

function factsOf(place: RefusalPlace, subject: Subject): ErrorFacts {
  const size = sizeOf(place, subject);
  const sizes = size === undefined ? {} : { actualBytes: size.actual, allowedBytes: size.allowed };
  return { field: fieldName(place.field), offset: place.offset, reason: place.reason, ...sizes };
}
