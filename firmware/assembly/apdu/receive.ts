import { INS_SIGN_TX, P1_HEADER } from '../../../protocol/commands';
import { MORE_THAN_DECLARED } from '../../../protocol/refusal-reasons';
import { BAD_STATE, MALFORMED, WRONG_LENGTH } from '../../../protocol/status-words';
import { reply, replyHeaderRefusal, replyOk } from '../handlers/reply';
import { answerMessageHeader, MESSAGE_LENGTH_AT, reviewMessage } from '../handlers/sign-message';
import { reviewTransaction } from '../handlers/sign-tx';
import { answerTransactionHeader, TRANSACTION_LENGTH_AT } from '../handlers/sign-tx-header';
import { session, upload } from '../session';
import { Command } from './command';

/** Answers one APDU of a command that comes in parts: its header, or a chunk of what the header declared. */
export function answerPart(command: Command): i32 {
  return command.p1 === P1_HEADER ? answerHeader(command) : answerChunk(command);
}

function answerHeader(command: Command): i32 {
  session.declaredLength = 0;
  const length =
    command.ins === INS_SIGN_TX
      ? answerTransactionHeader(command.data, command.length)
      : answerMessageHeader(command.data, command.length);
  if (session.declaredLength !== 0) upload.begin(command.ins, session.declaredLength);
  return length;
}

/** A chunk that is refused, or is the last, ends the upload; the bytes of a complete one stay until the next begins. */
function answerChunk(command: Command): i32 {
  if (upload.ins === 0) return reply(BAD_STATE);
  const fits = upload.append(command.data, command.length);
  if (fits && command.length !== 0 && !upload.isComplete) return replyOk();
  upload.drop();
  if (command.length === 0) return reply(WRONG_LENGTH);
  if (!fits) return replyHeaderRefusal(MALFORMED, lengthAt(command.ins), MORE_THAN_DECLARED);
  return command.ins === INS_SIGN_TX ? reviewTransaction(upload.bytes) : reviewMessage(upload.bytes);
}

/** Where the header of a command declares the length. */
function lengthAt(ins: i32): i32 {
  return ins === INS_SIGN_TX ? TRANSACTION_LENGTH_AT : MESSAGE_LENGTH_AT;
}
