import { P1_HEADER } from '../../../protocol/src/commands';
import {
  HASH_LENGTH,
  MAX_SIGN_MESSAGE,
  SIGN_MESSAGE_HEADER_LENGTH,
  SIGNATURE_LENGTH,
} from '../../../protocol/src/limits';
import {
  ACCOUNT_RANGE,
  BAD_MESSAGE_LENGTH,
  HEADER_LENGTH,
  MESSAGE_TOO_LONG,
  NOT_TEXT,
} from '../../../protocol/src/refusal-reasons';
import { LOCKED, MALFORMED, OK, TOO_LARGE } from '../../../protocol/src/status-words';
import { sha3_256 } from '../crypto/crypto';
import { describeMessage } from '../review/message';
import { textLength } from '../review/text';
import { sumOfItems } from '../seal';
import { apduBuffer, items, ownAccount, reviewedHash, session, upload } from '../session';
import { Command } from './command';
import { isAccountIndex, isLocked, loadOwnAccount, signAs } from './key';
import { awaitChunks, receiveChunk } from './receive';
import { reply, replyData, replyHeaderRefusal } from './reply';
import { openReview, REVIEW_MESSAGE } from './review';

const digest: usize = memory.data(HASH_LENGTH, 8);

/** Offset of the declared length in the header (docs/APDU.md#sign_message). */
const MESSAGE_LENGTH_AT = 4;

/** Answers one APDU of SIGN_MESSAGE: the header, or a chunk of the message. */
export function answerSignMessage(command: Command): i32 {
  if (command.p1 === P1_HEADER) return answerHeader(command);
  const answered = receiveChunk(command, MESSAGE_LENGTH_AT);
  return answered !== 0 ? answered : reviewMessage();
}

function answerHeader(command: Command): i32 {
  const data = command.data;
  if (command.length !== SIGN_MESSAGE_HEADER_LENGTH) return replyHeaderRefusal(MALFORMED, 0, HEADER_LENGTH);
  session.account = load<u32>(data);
  if (!isAccountIndex(session.account)) return replyHeaderRefusal(MALFORMED, 0, ACCOUNT_RANGE);
  const length = load<u32>(data, MESSAGE_LENGTH_AT);
  if (length > <u32>MAX_SIGN_MESSAGE) {
    return replyHeaderRefusal(TOO_LARGE, MESSAGE_LENGTH_AT, MESSAGE_TOO_LONG);
  }
  if (!isMessageLength(length)) return replyHeaderRefusal(MALFORMED, MESSAGE_LENGTH_AT, BAD_MESSAGE_LENGTH);
  if (isLocked()) return reply(LOCKED);
  return awaitChunks(command, length);
}

/** Opens the review of a complete message. */
function reviewMessage(): i32 {
  const text = textLength(upload.bytes, upload.received);
  if (text !== upload.received) return replyHeaderRefusal(MALFORMED, text, NOT_TEXT);
  const status = loadOwnAccount(session.account);
  if (status !== OK) return reply(status);
  formItems();
  sha3_256(reviewedHash, upload.bytes, upload.received);
  return openReview(REVIEW_MESSAGE, 'Sign message', 'Reject message');
}

function formItems(): void {
  items.clear();
  describeMessage(items, ownAccount + 4, upload.bytes, upload.received);
}

/**
 * Signs the bytes that were shown. Called only after an approval. The bytes are first checked, formatted and
 * hashed again, and the results are compared with those of the review.
 */
export function answerApprovedMessage(): i32 {
  const shown = sumOfItems();
  const length = upload.received;
  formItems();
  sha3_256(digest, upload.bytes, length);
  if (sumOfItems() !== shown || memory.compare(digest, reviewedHash, HASH_LENGTH) !== 0) unreachable();
  if (!isMessageLength(length) || textLength(upload.bytes, length) !== length) unreachable();
  const status = signAs(session.account, apduBuffer, upload.bytes, length);
  return status === OK ? replyData(SIGNATURE_LENGTH, OK) : reply(status);
}

/**
 * Returns whether a message may have this length. A length of 32 is refused, because the message could be the
 * digest of a transaction (docs/TRANSACTION.md#signer-rules 8).
 */
function isMessageLength(length: u32): bool {
  return length !== 0 && length !== HASH_LENGTH && length <= <u32>MAX_SIGN_MESSAGE;
}
