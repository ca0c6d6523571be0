import {
  fieldName,
  formatStatusWord,
  parseRefusal,
  refusalMessage,
  statusWordOf,
  toHex,
  transactionTypeName,
} from '@zbc-signer/chain';
import {
  CLA_SIGNER,
  FLAG_CONTACTS_ONLY,
  FLAG_LOCKED,
  FLAG_REFUSES_UNKNOWN_CHAINS,
  INS_GET_APP_VERSION,
  INS_GET_PUBLIC_KEY,
  INS_REGISTER_CONTACT,
  INS_SIGN_MESSAGE,
  INS_SIGN_TX,
} from '@zbc-signer/protocol/commands';
import { ADDRESS_LENGTH, PUBLIC_KEY_LENGTH, SIGNATURE_LENGTH } from '@zbc-signer/protocol/limits';
import * as statusWords from '@zbc-signer/protocol/status-words';
import { givesNoncePoint } from '../device/exchange.js';
import { readU32 } from './command-description.js';
import type { ReplyEntry } from './entry.js';

const STATUS_BYTES = 2;

const STATUS_NAMES = new Map(Object.entries(statusWords).map(([name, word]) => [word, name]));

/** Meanings of the status words, for replies that have no refusal details. */
const STATUS_MEANINGS = new Map<number, string>([
  [statusWords.USER_REJECTED, 'rejected by the user'],
  [statusWords.MALFORMED, 'malformed bytes'],
  [statusWords.LOCKED, 'the device is locked'],
  [statusWords.WRONG_LENGTH, 'wrong length for this command'],
  [statusWords.WRONG_P1P2, 'wrong P1 or P2 for this command'],
  [statusWords.INS_NOT_SUPPORTED, 'unknown command'],
  [statusWords.CLA_NOT_SUPPORTED, 'unknown class'],
  [statusWords.BUSY, 'a review is on the screen'],
  [statusWords.BAD_STATE, 'a chunk without a header'],
  [statusWords.INTERNAL, 'the firmware crashed, or a self-check failed'],
]);

/** Describes a reply of at least 2 bytes; the command determines the format of its data. */
export function describeReply(apdu: Uint8Array, reply: Uint8Array): ReplyEntry {
  const statusWord = statusWordOf(reply);
  const data = reply.subarray(0, -STATUS_BYTES);
  const name = STATUS_NAMES.get(statusWord) ?? 'unknown status';
  return {
    outcome: outcomeOf(statusWord),
    status: `${formatStatusWord(statusWord)} ${name}`,
    words: statusWord === statusWords.OK ? describeResult(apdu, reply) : describeRefusal(statusWord, data),
    hex: toHex(reply),
  };
}

function outcomeOf(statusWord: number): ReplyEntry['outcome'] {
  if (statusWord === statusWords.OK) return 'ok';
  return statusWord === statusWords.USER_REJECTED ? 'rejected' : 'refused';
}

function describeRefusal(statusWord: number, data: Uint8Array): string {
  const place = parseRefusal(data);
  if (place === undefined) return STATUS_MEANINGS.get(statusWord) ?? '';
  return `${refusalMessage(place.reason) ?? place.reason} (${fieldName(place.field)}, byte ${place.offset})`;
}

function describeResult(apdu: Uint8Array, reply: Uint8Array): string {
  const [cla, ins] = apdu;
  const data = reply.subarray(0, -STATUS_BYTES);
  if (cla === CLA_SIGNER && ins === INS_REGISTER_CONTACT) {
    return data.length === 0 ? 'the proof is right' : `registered, proof ${toHex(data)}`;
  }
  if (cla !== CLA_SIGNER || data.length === 0) return '';
  if (givesNoncePoint(apdu, reply)) return 'approved, point of the nonce';
  if (ins === INS_GET_APP_VERSION && data.length >= 18) return describeVersion(data);
  if (ins === INS_GET_PUBLIC_KEY && data.length === PUBLIC_KEY_LENGTH + ADDRESS_LENGTH) {
    return describeAddress(data);
  }
  if (ins === INS_SIGN_TX && data.length > SIGNATURE_LENGTH) {
    return `signed, transaction hash ${toHex(data.subarray(SIGNATURE_LENGTH))}`;
  }
  return ins === INS_SIGN_MESSAGE ? 'signed' : '';
}

function describeVersion(data: Uint8Array): string {
  const [protocol, major, minor, patch, flags = 0] = data;
  const types: string[] = [];
  for (let at = 18; at + 4 <= data.length; at += 4) types.push(transactionTypeName(readU32(data, at)));
  return [
    `protocol ${protocol}`,
    `firmware ${major}.${minor}.${patch}`,
    `signs ${types.join(', ')}`,
    ...(flags & FLAG_LOCKED ? ['locked'] : []),
    ...(flags & FLAG_REFUSES_UNKNOWN_CHAINS ? ['refuses unknown chains'] : []),
    ...(flags & FLAG_CONTACTS_ONLY ? ['pays contacts only'] : []),
  ].join(', ');
}

function describeAddress(data: Uint8Array): string {
  return String.fromCharCode(...data.subarray(PUBLIC_KEY_LENGTH)).replace(/[^!-~]/g, '?');
}
