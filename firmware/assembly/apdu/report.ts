import { MAX_APDU, REPORT_LENGTH } from '../../../protocol/src/limits';
import { USER_REJECTED } from '../../../protocol/src/status-words';
import { apduBuffer, link, reportBuffer } from '../session';
import { sumOf } from '../sum';
import { NO_CHANNEL } from '../transport/link';
import { dispatch } from './dispatch';

/**
 * Takes a report from a link, and answers the command that it completes; returns whether a reply can be read.
 */
export function takeReport(from: i32): bool {
  if (!link.take(reportBuffer, from, apduBuffer)) return false;
  const replied = dispatch(link.expected);
  if (link.pending === NO_CHANNEL) link.owner = link.channel;
  if (replied === 0) link.pending = link.channel;
  else link.answer(link.channel, replied);
  return replied !== 0;
}

/**
 * Makes the reply of a decision ready for the channel whose command waited, if it came in reports. It
 * replaces a command that is still incomplete.
 */
export function answerPending(length: i32): void {
  link.drop();
  if (link.pending !== NO_CHANNEL) link.answer(link.pending, length);
  link.pending = NO_CHANNEL;
}

/** Traps if the prepared reply is anything but the user's refusal, which only a fault causes. */
export function checkRefusal(): void {
  if (link.replyLength > 2 || load<u16>(apduBuffer) !== bswap<u16>(<u16>USER_REJECTED)) unreachable();
}

/** Writes the next report twice, so that a fault cannot alter it; returns false if there is none. */
export function giveReport(): bool {
  // A fault must not send memory from beyond the buffer.
  if (link.replyLength > MAX_APDU) unreachable();
  if (!link.give(reportBuffer, apduBuffer)) return false;
  const sum = sumOf(reportBuffer, REPORT_LENGTH);
  if (!link.give(reportBuffer, apduBuffer) || sumOf(reportBuffer, REPORT_LENGTH) !== sum) unreachable();
  link.nextOut += 1;
  return true;
}
