import { FIELD_NAMES, REFUSAL_WORDS, refusalReason, toHex } from '../../../chain/src/index.js';
import {
  CLA_SIGNER,
  FLAG_LOCKED,
  FLAG_REFUSES_UNKNOWN_CHAINS,
  INS_GET_APP_VERSION,
  INS_GET_PUBLIC_KEY,
  INS_SIGN_MESSAGE,
  INS_SIGN_TX,
} from '../../../protocol/commands.js';
import { ADDRESS, PUBLIC_KEY, SIGNATURE } from '../../../protocol/limits.js';
import * as statusWords from '../../../protocol/status-words.js';
import { statusOf } from '../device.js';
import type { ReplyEntry } from './entry.js';
import { readU16, readU32 } from './little-endian.js';

const STATUS_BYTES = 2;
const DETAIL = 4;

const STATUS_NAMES = new Map(Object.entries(statusWords).map(([name, word]) => [word, name]));

/** What a status word says when no detail comes with it. */
const STATUS_MEANINGS = new Map<number, string>([
  [statusWords.USER_REJECTED, 'the user rejected'],
  [statusWords.MALFORMED, 'the bytes are not what they must be'],
  [statusWords.LOCKED, 'the device is locked'],
  [statusWords.WRONG_LENGTH, 'not a length that this command takes'],
  [statusWords.WRONG_P1P2, 'P1 or P2 is not one of this command'],
  [statusWords.INS_NOT_SUPPORTED, 'no such command'],
  [statusWords.CLA_NOT_SUPPORTED, 'no such class of commands'],
  [statusWords.BUSY, 'a review is on the screen'],
  [statusWords.BAD_STATE, 'a chunk without a header before it'],
  [statusWords.INTERNAL, 'the firmware crashed, or a self-check failed'],
]);

/** A reply, 2 bytes at least, in words; what its data means is told by the command. */
export function tellReply(apdu: Uint8Array, reply: Uint8Array): ReplyEntry {
  const statusWord = statusOf(reply);
  const data = reply.subarray(0, -STATUS_BYTES);
  const name = STATUS_NAMES.get(statusWord) ?? 'unknown status';
  return {
    outcome: outcomeOf(statusWord),
    status: `${statusWord.toString(16).padStart(4, '0')} ${name}`,
    words: statusWord === statusWords.OK ? tellResult(apdu, data) : tellRefusal(statusWord, data),
    hex: toHex(reply),
  };
}

function outcomeOf(statusWord: number): ReplyEntry['outcome'] {
  if (statusWord === statusWords.OK) return 'ok';
  return statusWord === statusWords.USER_REJECTED ? 'rejected' : 'refused';
}

function tellRefusal(statusWord: number, data: Uint8Array): string {
  if (data.length !== DETAIL) return STATUS_MEANINGS.get(statusWord) ?? '';
  const [field = 0, , , number = 0] = data;
  const reason = refusalReason(number);
  const words = reason === undefined ? `reason ${number}` : REFUSAL_WORDS[reason];
  return `${words} (${FIELD_NAMES[field] ?? `field ${field}`}, byte ${readU16(data, 1)})`;
}

function tellResult([cla, ins]: Uint8Array, data: Uint8Array): string {
  if (cla !== CLA_SIGNER || data.length === 0) return '';
  if (ins === INS_GET_APP_VERSION && data.length >= 18) return tellVersion(data);
  if (ins === INS_GET_PUBLIC_KEY && data.length === PUBLIC_KEY + ADDRESS) return tellAddress(data);
  if (ins === INS_SIGN_TX && data.length > SIGNATURE)
    return `signed, transaction hash ${toHex(data.subarray(SIGNATURE))}`;
  return ins === INS_SIGN_MESSAGE ? 'signed' : '';
}

function tellVersion(data: Uint8Array): string {
  const [protocol, major, minor, patch, flags = 0] = data;
  const types: number[] = [];
  for (let at = 18; at + 4 <= data.length; at += 4) types.push(readU32(data, at));
  return [
    `protocol ${protocol}`,
    `firmware ${major}.${minor}.${patch}`,
    `signs types ${types.join(', ')}`,
    ...(flags & FLAG_LOCKED ? ['locked'] : []),
    ...(flags & FLAG_REFUSES_UNKNOWN_CHAINS ? ['refuses unknown chains'] : []),
  ].join(', ');
}

function tellAddress(data: Uint8Array): string {
  return String.fromCharCode(...data.subarray(PUBLIC_KEY)).replace(/[^!-~]/g, '?');
}
