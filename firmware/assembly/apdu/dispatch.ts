import { P1_DATA, P1_REVEAL } from '../../../protocol/src/commands';
import { BUSY } from '../../../protocol/src/status-words';
import { Command } from '../handlers/command';
import { reply } from '../handlers/reply';
import { AWAITS_REVEAL, isReviewing } from '../handlers/review';
import { clearCommand } from '../seal';
import { apduBuffer, link, session, upload } from '../session';
import { NO_CHANNEL } from '../transport/link';
import { answer, takesOver } from './commands';

const command: Command = changetype<Command>(memory.data(offsetof<Command>(), 8));

/**
 * Answers the command of `length` bytes in the APDU buffer, or a command of which a report is missing, whose
 * length is NOT_WHOLE. `from` is its link and channel. While another channel has an upload, or an approval that
 * waits for REVEAL, only a header or a command with a review affects it: it takes over. Returns the length of the
 * reply, or 0 while the user decides.
 */
export function dispatch(length: i32, from: i32): i32 {
  if (isReviewing()) return reply(BUSY);
  const isRead = command.read(apduBuffer, length);
  command.isAside = upload.ins !== 0 && from !== link.owner && !(isRead && takesOver(command));
  if (!command.isAside) {
    link.owner = from;
    const next = session.reviewing === AWAITS_REVEAL ? P1_REVEAL : P1_DATA;
    if (!isRead || !command.isPart(upload.ins, next)) clearCommand();
  }
  const replied = isRead ? answer(command) : reply(command.status);
  if (upload.ins === 0) link.owner = NO_CHANNEL;
  // The data of a command is kept only while an upload or a review needs it.
  if (replied !== 0 && upload.ins === 0) clearCommand();
  return replied;
}
