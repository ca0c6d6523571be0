import { MAX_APDU, REPORT_LENGTH } from '../../../protocol/src/limits';
import { USER_REJECTED } from '../../../protocol/src/status-words';
import { apduBuffer, incomingBytes, link, reportBuffer } from '../session';
import { sumOf } from '../sum';
import { channelOf, NO_CHANNEL, UNFINISHED } from '../transport/link';
import { dispatch } from './dispatch';

/**
 * Accepts the report in the buffer, which arrived over the link `from`. If the report completes a command, or
 * shows that one of its reports is missing, the command is answered. Returns whether a reply can be read.
 */
export function takeReport(from: i32): bool {
  const channel = channelOf(reportBuffer, from);
  const length = link.take(reportBuffer, channel, incomingBytes, apduBuffer);
  if (length === UNFINISHED) return false;
  const replied = dispatch(length, channel);
  if (replied === 0) link.pending = channel;
  link.answer(channel, replied);
  return replied !== 0;
}

/**
 * Prepares the reply to the command that waited for the user's decision. If that command arrived in reports,
 * its channel can then read the reply.
 */
export function answerPending(length: i32): void {
  link.replyLength = 0;
  if (link.pending !== NO_CHANNEL) link.answer(link.pending, length);
  link.pending = NO_CHANNEL;
}

/** Traps if the prepared reply is not USER_REJECTED. Only a fault can make it differ. */
export function checkRefusal(): void {
  if (link.replyLength > 2 || load<u16>(apduBuffer) !== bswap<u16>(<u16>USER_REJECTED)) unreachable();
}

/**
 * Writes the next report of the reply to the buffer; returns false after the last one. The report is written
 * twice and both results are compared, to detect a fault.
 */
export function giveReport(): bool {
  // If a fault changed the length, the memory behind the buffer would be sent.
  if (link.replyLength > MAX_APDU) unreachable();
  if (!link.give(reportBuffer, apduBuffer)) {
    link.answer(0, 0);
    return false;
  }
  const sum = sumOf(reportBuffer, REPORT_LENGTH);
  if (!link.give(reportBuffer, apduBuffer) || sumOf(reportBuffer, REPORT_LENGTH) !== sum) unreachable();
  link.nextOut += 1;
  return true;
}
