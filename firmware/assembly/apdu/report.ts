import { apduBuffer, link, reportBuffer } from '../session';
import { NO_CHANNEL } from '../transport/link';
import { dispatch } from './dispatch';

/** Takes a report that came over a link, and answers the command that it completes; whether a reply can be read. */
export function takeReport(from: i32): bool {
  if (!link.take(reportBuffer, from, apduBuffer)) return false;
  const replied = dispatch(link.expected);
  if (link.pending === NO_CHANNEL) link.owner = link.channel;
  if (replied === 0) link.pending = link.channel;
  else link.answer(link.channel, replied);
  return replied !== 0;
}

/**
 * Makes the reply of a decision ready for the channel whose command waited, if it came in reports. It takes
 * the place of a
 * command that is still coming in.
 */
export function answerPending(length: i32): void {
  link.drop();
  if (link.pending !== NO_CHANNEL) link.answer(link.pending, length);
  link.pending = NO_CHANNEL;
}
