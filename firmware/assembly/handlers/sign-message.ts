import { INS_SIGN_MESSAGE } from '../../../protocol/commands';
import { HASH, MAX_SIGN_MESSAGE, SIGN_MESSAGE_HEADER, SIGNATURE } from '../../../protocol/limits';
import {
  ACCOUNT_RANGE,
  HEADER_LENGTH,
  MESSAGE_LENGTH,
  MESSAGE_TOO_LONG,
  NOT_TEXT,
} from '../../../protocol/refusal-reasons';
import { LOCKED, MALFORMED, OK, TOO_LARGE } from '../../../protocol/status-words';
import { describeMessage } from '../review/message';
import { textLength } from '../review/text';
import { apduBuffer, items, ownAccount, session } from '../session';
import { isAccountIndex, isLocked, loadOwnAccount, signAs } from './key';
import { reply, replyData, replyHeaderRefusal, replyOk } from './reply';
import { openReview } from './review';

/** Where the header declares the length (signer-protocol §1.3). */
export const MESSAGE_LENGTH_AT = 4;

/** Answers the header of SIGN_MESSAGE, and declares the message's length when it is taken. */
export function answerMessageHeader(data: usize, headerLength: i32): i32 {
  if (headerLength !== SIGN_MESSAGE_HEADER) return replyHeaderRefusal(MALFORMED, 0, HEADER_LENGTH);
  session.account = load<u32>(data);
  if (!isAccountIndex(session.account)) return replyHeaderRefusal(MALFORMED, 0, ACCOUNT_RANGE);
  const length = load<u32>(data, MESSAGE_LENGTH_AT);
  // 32 bytes could be the digest of a transaction ("Signer device rules" 8).
  if (length === 0 || length === HASH)
    return replyHeaderRefusal(MALFORMED, MESSAGE_LENGTH_AT, MESSAGE_LENGTH);
  if (length > <u32>MAX_SIGN_MESSAGE) {
    return replyHeaderRefusal(TOO_LARGE, MESSAGE_LENGTH_AT, MESSAGE_TOO_LONG);
  }
  if (isLocked()) return reply(LOCKED);
  session.declaredLength = length;
  return replyOk();
}

/** Puts the message at `message` on the screen, as long as its header declared. */
export function reviewMessage(message: usize): i32 {
  const length = session.declaredLength;
  const text = textLength(message, length);
  if (text !== length) return replyHeaderRefusal(MALFORMED, text, NOT_TEXT);
  const status = loadOwnAccount(session.account);
  if (status !== OK) return reply(status);
  items.clear();
  session.payload = message;
  describeMessage(items, ownAccount + 4, message, length);
  return openReview(INS_SIGN_MESSAGE);
}

/** Signs the very bytes that were shown; only from an approval. */
export function releaseMessageSignature(): i32 {
  const status = signAs(session.account, apduBuffer, session.payload, session.declaredLength);
  return status === OK ? replyData(SIGNATURE, OK) : reply(status);
}
