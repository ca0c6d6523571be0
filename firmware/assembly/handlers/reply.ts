import { OK } from '../../../protocol/src/status-words';
import { apduBuffer } from '../session';
import { Cursor } from '../transaction/cursor';

/** Answers with only a status word. All functions of this file return the length of the reply. */
export function reply(status: i32): i32 {
  return replyData(0, status);
}

/** Answers with the first `length` bytes of the APDU buffer, followed by a status word. */
export function replyData(length: i32, status: i32): i32 {
  store<u8>(apduBuffer + length, status >> 8);
  store<u8>(apduBuffer + length, status, 1);
  return length + 2;
}

export function replyOk(): i32 {
  return reply(OK);
}

/**
 * Answers with a refusal and its details, `field u8, offset u16, reason u8` (docs/APDU.md#refusal-details).
 */
function replyRefusal(status: i32, field: i32, offset: i32, reason: i32): i32 {
  store<u8>(apduBuffer, field);
  store<u16>(apduBuffer, offset, 1);
  store<u8>(apduBuffer, reason, 3);
  return replyData(4, status);
}

/** Answers with the refusal that the cursor holds. */
export function replyParseRefusal(cursor: Cursor): i32 {
  return replyRefusal(cursor.status, cursor.refusedField, cursor.refusedOffset, cursor.reason);
}

/** Answers with a refusal of the command's header, which is field 0. */
export function replyHeaderRefusal(status: i32, offset: i32, reason: i32): i32 {
  return replyRefusal(status, 0, offset, reason);
}
