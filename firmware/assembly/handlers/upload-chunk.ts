import { MORE_THAN_DECLARED } from '../../../protocol/refusal-reasons';
import { BAD_STATE, MALFORMED, WRONG_LENGTH } from '../../../protocol/status-words';
import { Command } from '../apdu/command';
import { upload } from '../session';
import { reply, replyHeaderRefusal, replyOk } from './reply';

/**
 * Takes a data chunk into the upload; `lengthAt` is where the header declared the length. Returns the length of the reply that
 * answers the chunk, or 0 when it completes the upload, which then ends: the bytes stay until the next begins.
 */
export function receiveChunk(command: Command, lengthAt: i32): i32 {
  if (upload.ins === 0) return reply(BAD_STATE);
  if (command.length === 0) {
    upload.drop();
    return reply(WRONG_LENGTH);
  }
  if (!upload.append(command.data, command.length)) {
    upload.drop();
    return replyHeaderRefusal(MALFORMED, lengthAt, MORE_THAN_DECLARED);
  }
  if (!upload.isComplete) return replyOk();
  upload.drop();
  return 0;
}
