import { HASH_LENGTH, MAX_SIGN_MESSAGE } from '@zbc-signer/protocol/limits';
import { BAD_MESSAGE_LENGTH, MESSAGE_TOO_LONG, NOT_TEXT } from '@zbc-signer/protocol/refusal-reasons';
import { MALFORMED, TOO_LARGE } from '@zbc-signer/protocol/status-words';
import { errorForStatus } from './status-errors.js';

/** Offset of the declared length in the header (docs/APDU.md#sign_message). */
const LENGTH_AT = 4;

/** Checks a message before it is uploaded. Throws the error that a refusal by the device would cause. */
export function checkMessage(message: Uint8Array): void {
  const length = message.length;
  if (length > MAX_SIGN_MESSAGE) refuse(message, TOO_LARGE, LENGTH_AT, MESSAGE_TOO_LONG);
  // 32 bytes are refused, because they could be the digest of a transaction.
  if (length === 0 || length === HASH_LENGTH) refuse(message, MALFORMED, LENGTH_AT, BAD_MESSAGE_LENGTH);
  const bad = message.findIndex(byte => byte !== 0x0a && (byte < 0x20 || byte > 0x7e));
  if (bad !== -1) refuse(message, MALFORMED, bad, NOT_TEXT);
}

function refuse(message: Uint8Array, statusWord: number, offset: number, reason: number): never {
  const detail = Uint8Array.of(0, offset & 0xff, offset >> 8, reason);
  throw errorForStatus(statusWord, detail, { noun: 'message', message });
}
