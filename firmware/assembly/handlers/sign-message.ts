import { INS_SIGN_MESSAGE, P1_HEADER, P1_REVEAL, P2_NONE } from '../../../protocol/src/commands';
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
import { apduBuffer, commitment, items, ownAccount, reviewedHash, session, upload } from '../session';
import { Command } from './command';
import { commitmentLength } from './contact';
import { isAccountIndex, isLocked, loadOwnAccount, signAs } from './key';
import { awaitChunks, receiveChunk } from './receive';
import { reply, replyData, replyHeaderRefusal } from './reply';
import { answerCommitted, signWith, takeReveal } from './reveal';
import { openReview, REVIEW_MESSAGE } from './review';

const digest: usize = memory.data(HASH_LENGTH, 8);

/** Offset of the declared length in the header (docs/APDU.md#sign_message). */
const MESSAGE_LENGTH_AT = 4;

/** Answers one APDU of SIGN_MESSAGE: the header, a chunk of the message, or REVEAL. */
export function answerSignMessage(command: Command): i32 {
  if (command.p1 === P1_HEADER) return answerHeader(command);
  if (command.p1 === P1_REVEAL) return answerReveal(command);
  const answered = receiveChunk(command, MESSAGE_LENGTH_AT);
  return answered !== 0 ? answered : reviewMessage();
}

function answerHeader(command: Command): i32 {
  const data = command.data;
  const given = commitmentLength(command.p2);
  if (command.length !== SIGN_MESSAGE_HEADER_LENGTH + given) {
    return replyHeaderRefusal(MALFORMED, 0, HEADER_LENGTH);
  }
  session.account = load<u32>(data);
  if (!isAccountIndex(session.account)) return replyHeaderRefusal(MALFORMED, 0, ACCOUNT_RANGE);
  const length = load<u32>(data, MESSAGE_LENGTH_AT);
  if (length > <u32>MAX_SIGN_MESSAGE) {
    return replyHeaderRefusal(TOO_LARGE, MESSAGE_LENGTH_AT, MESSAGE_TOO_LONG);
  }
  if (!isMessageLength(length)) return replyHeaderRefusal(MALFORMED, MESSAGE_LENGTH_AT, BAD_MESSAGE_LENGTH);
  if (isLocked()) return reply(LOCKED);
  session.options = command.p2;
  memory.copy(commitment, data + SIGN_MESSAGE_HEADER_LENGTH, given);
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
 * Signs the bytes that were shown, or fixes the nonce for them if the header had a commitment. Called only after an
 * approval. The bytes are first checked, formatted and hashed again, and the results are compared with those of the
 * review.
 */
export function answerApprovedMessage(): i32 {
  const shown = sumOfItems();
  formItems();
  if (sumOfItems() !== shown) unreachable();
  checkBytes();
  const length = upload.received;
  if (session.options !== P2_NONE) return answerCommitted(INS_SIGN_MESSAGE, upload.bytes, length);
  const status = signAs(session.account, apduBuffer, upload.bytes, length);
  return status === OK ? replyData(SIGNATURE_LENGTH, OK) : reply(status);
}

/** Answers REVEAL: signs the approved bytes, which are first checked and hashed again. */
function answerReveal(command: Command): i32 {
  let refused = takeReveal(command);
  if (refused !== 0) return refused;
  checkBytes();
  refused = signWith(command, upload.bytes, upload.received);
  return refused !== 0 ? refused : replyData(SIGNATURE_LENGTH, OK);
}

/** Traps unless the uploaded bytes are those of the review, and may be signed. */
function checkBytes(): void {
  const length = upload.received;
  sha3_256(digest, upload.bytes, length);
  if (memory.compare(digest, reviewedHash, HASH_LENGTH) !== 0) unreachable();
  if (!isMessageLength(length) || textLength(upload.bytes, length) !== length) unreachable();
}

/**
 * Returns whether a message may have this length. A length of 32 is refused, because the message could be the
 * digest of a transaction (docs/TRANSACTION.md#signer-rules 8).
 */
function isMessageLength(length: u32): bool {
  return length !== 0 && length !== HASH_LENGTH && length <= <u32>MAX_SIGN_MESSAGE;
}
