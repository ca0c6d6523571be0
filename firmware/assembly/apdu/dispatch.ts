import { P1_DATA } from '../../../protocol/src/commands';
import { BUSY } from '../../../protocol/src/status-words';
import { Command } from '../handlers/command';
import { reply } from '../handlers/reply';
import { isReviewing } from '../handlers/review';
import { clearCommand } from '../seal';
import { apduBuffer, upload } from '../session';
import { answer } from './commands';

const command: Command = changetype<Command>(memory.data(offsetof<Command>(), 8));

/**
 * Answers the command of `length` bytes in the APDU buffer. Returns the length of the reply, or 0 while the
 * user decides.
 */
export function dispatch(length: i32): i32 {
  if (isReviewing()) return reply(BUSY);
  const isRead = command.read(apduBuffer, length);
  if (!isRead || command.p1 !== P1_DATA || command.ins !== upload.ins) clearCommand();
  const replied = isRead ? answer(command) : reply(command.status);
  // The data of a command is kept only while an upload or a review needs it.
  if (replied !== 0 && upload.ins === 0) clearCommand();
  return replied;
}
