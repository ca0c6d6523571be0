import { P1_DATA } from '../../../protocol/src/commands';
import { BUSY } from '../../../protocol/src/status-words';
import { Command } from '../handlers/command';
import { reply } from '../handlers/reply';
import { isReviewing } from '../handlers/review';
import { clearCommand } from '../seal';
import { apduBuffer, upload } from '../session';
import { answer } from './commands';

const command: Command = changetype<Command>(memory.data(offsetof<Command>(), 8));

/** Answers the `length` bytes in the APDU buffer: the length of the reply, or 0 while the user decides. */
export function dispatch(length: i32): i32 {
  if (isReviewing()) return reply(BUSY);
  const isRead = command.read(apduBuffer, length);
  if (!isRead || command.p1 !== P1_DATA || command.ins !== upload.ins) clearCommand();
  const replied = isRead ? answer(command) : reply(command.status);
  // Only the data that its next chunk or its review needs is kept of a command.
  if (replied !== 0 && upload.ins === 0) clearCommand();
  return replied;
}
