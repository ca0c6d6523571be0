import { MORE_THAN_DECLARED } from '../../../protocol/src/refusal-reasons';
import { BAD_STATE, MALFORMED, WRONG_LENGTH } from '../../../protocol/src/status-words';
import { upload } from '../session';
import { Command } from './command';
import { reply, replyHeaderRefusal, replyOk } from './reply';

/** Answers an accepted header, after which `length` bytes must follow in chunks. */
export function awaitChunks(command: Command, length: i32): i32 {
  upload.begin(command.ins, length);
  return replyOk();
}

/**
 * Accepts a chunk of an upload. `lengthAt` is the offset in the header at which the upload's length was
 * declared; a refusal refers to this offset. Returns the length of the reply, or 0 when all bytes are
 * received. A refused chunk and the last chunk end the upload. The bytes of a complete upload stay in the
 * buffer.
 */
export function receiveChunk(command: Command, lengthAt: i32): i32 {
  if (command.isAside || upload.ins === 0) return reply(BAD_STATE);
  const fits = upload.append(command.data, command.length);
  if (fits && command.length !== 0 && !upload.isComplete) return replyOk();
  upload.drop();
  if (command.length === 0) return reply(WRONG_LENGTH);
  return fits ? 0 : replyHeaderRefusal(MALFORMED, lengthAt, MORE_THAN_DECLARED);
}
