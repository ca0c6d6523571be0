import { INS_SIGN_MESSAGE, P1_HEADER } from '../../../protocol/commands';
import { HASH, MAX_SIGN_MESSAGE, SIGN_MESSAGE_HEADER, SIGNATURE } from '../../../protocol/limits';
import {
  ACCOUNT_RANGE,
  HEADER_LENGTH,
  MESSAGE_LENGTH,
  MESSAGE_TOO_LONG,
  NOT_TEXT,
} from '../../../protocol/refusal-reasons';
import { LOCKED, MALFORMED, OK, TOO_LARGE } from '../../../protocol/status-words';
import { Command } from '../apdu/command';
import { describeMessage } from '../review/message';
import { textLength } from '../review/text';
import { apduBuffer, items, ownAccount, session, upload } from '../session';
import { isAccountIndex, isLocked, loadOwnAccount, signAs } from './key';
import { reply, replyData, replyHeaderRefusal, replyOk } from './reply';
import { openReview } from './review';
import { receiveChunk } from './upload-chunk';

const LENGTH_AT = 4;

/** Answers one APDU of SIGN_MESSAGE: its header, or a chunk of the message. */
export function answerSignMessage(command: Command): i32 {
  if (command.p1 === P1_HEADER) return answerHeader(command);
  const answered = receiveChunk(command, LENGTH_AT);
  return answered !== 0 ? answered : reviewMessage();
}

function answerHeader(command: Command): i32 {
  if (command.length !== SIGN_MESSAGE_HEADER) return replyHeaderRefusal(MALFORMED, 0, HEADER_LENGTH);
  session.account = load<u32>(command.data);
  const length = load<u32>(command.data, LENGTH_AT);
  if (!isAccountIndex(session.account)) return replyHeaderRefusal(MALFORMED, 0, ACCOUNT_RANGE);
  // 32 bytes could be the digest of a transaction ("Signer device rules" 8).
  if (length === 0 || length === HASH) return replyHeaderRefusal(MALFORMED, LENGTH_AT, MESSAGE_LENGTH);
  if (length > <u32>MAX_SIGN_MESSAGE) return replyHeaderRefusal(TOO_LARGE, LENGTH_AT, MESSAGE_TOO_LONG);
  if (isLocked()) return reply(LOCKED);
  upload.begin(INS_SIGN_MESSAGE, length);
  return replyOk();
}

function reviewMessage(): i32 {
  const length = upload.expected;
  const text = textLength(upload.bytes, length);
  if (text !== length) return replyHeaderRefusal(MALFORMED, text, NOT_TEXT);
  const status = loadOwnAccount(session.account);
  if (status !== OK) return reply(status);
  items.clear();
  describeMessage(items, ownAccount + 4, upload.bytes, length);
  return openReview(INS_SIGN_MESSAGE);
}

/** Signs the very bytes that were shown; only from an approval. */
export function releaseMessageSignature(): i32 {
  const status = signAs(session.account, apduBuffer, upload.bytes, upload.expected);
  return status === OK ? replyData(SIGNATURE, OK) : reply(status);
}
