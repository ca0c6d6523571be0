import { MORE_THAN_DECLARED } from '../../../protocol/src/refusal-reasons';
import { BAD_STATE, MALFORMED, WRONG_LENGTH } from '../../../protocol/src/status-words';
import { upload } from '../session';
import { Command } from './command';
import { reply, replyHeaderRefusal, replyOk } from './reply';

/** Answers an accepted header: `length` bytes follow in chunks. */
export function awaitChunks(command: Command, length: i32): i32 {
  upload.begin(command.ins, length);
  return replyOk();
}

/**
 * Takes a chunk of the data whose length the command's header declared at `lengthAt`; returns the length of
 * the reply, or 0 when all is received. A refused or last chunk ends the upload; the bytes of a complete
 * upload stay until the next one begins.
 */
export function receiveChunk(command: Command, lengthAt: i32): i32 {
  if (upload.ins === 0) return reply(BAD_STATE);
  const fits = upload.append(command.data, command.length);
  if (fits && command.length !== 0 && !upload.isComplete) return replyOk();
  upload.drop();
  if (command.length === 0) return reply(WRONG_LENGTH);
  return fits ? 0 : replyHeaderRefusal(MALFORMED, lengthAt, MORE_THAN_DECLARED);
}
