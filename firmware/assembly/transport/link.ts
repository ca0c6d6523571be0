import { MAX_APDU, REPORT_LENGTH } from '../../../protocol/src/limits';

// Layout of a report: channel u16be, tag, sequence u16be, payload, padding with zeros. The payload of a first
// report begins with the length of the whole command or reply, u16be.
const TAG = 0x05;
const CANCEL_TAG = 0x06;
const TAG_AT = 2;
const SEQUENCE_AT = 3;
const LENGTH_AT = 5;
const LENGTH_BYTES = 2;
/** Number of reports of the longest reply. */
const MAX_REPORTS: u32 = 5;
const FIRST_PAYLOAD_AT = 7;
const NEXT_PAYLOAD_AT = 5;
const MAX_LINK = 0x7fff;
/** The channel of a command that did not arrive in reports. */
export const NO_CHANNEL = -1;

/** The command that arrives in reports of 64 bytes, and the reply that is sent in reports. */
@unmanaged
export class Link {
  /** Channel of the incoming command in the low 16 bits, and the number of its link above them. */
  channel: i32;
  /** Length of the incoming command, and the number of bytes received so far. */
  expected: i32;
  received: i32;
  /** Sequence number of the next report, in each direction. */
  nextIn: i32;
  nextOut: i32;
  /** Channel of the command that waits for the user's decision. */
  pending: i32;
  /** Channel of the last command that was answered or opened a review. It owns an unfinished upload. */
  owner: i32;
  /** Channel and length of the reply that is being read. */
  replyChannel: i32;
  replyLength: i32;

  /** Drops the incoming command, the reply and the pending command. */
  clear(): void {
    this.drop();
    this.pending = NO_CHANNEL;
    this.owner = NO_CHANNEL;
  }

  /** Drops the incoming command and the reply. */
  drop(): void {
    this.expected = 0;
    this.received = 0;
    this.replyLength = 0;
  }

  /**
   * Returns whether a report says that the host of the current review or unfinished upload has disconnected.
   */
  isCancelled(report: usize, from: i32, reviewing: bool): bool {
    if (load<u8>(report, TAG_AT) !== CANCEL_TAG) return false;
    return channelOf(report, from) === (reviewing ? this.pending : this.owner);
  }

  /**
   * Accepts a report, and copies its payload to `out`, which has MAX_APDU bytes. Returns whether the command
   * is now complete.
   */
  take(report: usize, from: i32, out: usize): bool {
    if (load<u8>(report, TAG_AT) !== TAG) return false;
    const sequence = u16be(report + SEQUENCE_AT);
    if (sequence === 0) this.begin(report, from);
    else if (channelOf(report, from) !== this.channel || this.received === this.expected) return false;
    if (sequence !== this.nextIn) {
      this.drop();
      return false;
    }
    this.nextIn += 1;
    return this.copyIn(report, sequence === 0 ? FIRST_PAYLOAD_AT : NEXT_PAYLOAD_AT, out);
  }

  /** Prepares a reply of `length` bytes, which will be read on a channel. */
  answer(channel: i32, length: i32): void {
    this.replyChannel = channel;
    this.replyLength = length;
    this.nextOut = 0;
  }

  /** Writes report number `nextOut` of the reply at `from`. Returns false if the reply has no such report. */
  give(report: usize, from: usize): bool {
    const number = <u32>this.nextOut;
    if (number >= MAX_REPORTS) return false;
    const isFirst = number === 0;
    const at = isFirst ? FIRST_PAYLOAD_AT : NEXT_PAYLOAD_AT;
    const sent: i32 = isFirst ? 0 : <i32>number * (REPORT_LENGTH - NEXT_PAYLOAD_AT) - LENGTH_BYTES;
    const left = this.replyLength - sent;
    if (left <= 0) return false;
    memory.fill(report, 0, REPORT_LENGTH);
    putU16be(report, this.replyChannel);
    store<u8>(report, TAG, TAG_AT);
    putU16be(report + SEQUENCE_AT, number);
    if (isFirst) putU16be(report + LENGTH_AT, this.replyLength);
    memory.copy(report + at, from + sent, min(left, REPORT_LENGTH - at));
    return true;
  }

  private begin(report: usize, from: i32): void {
    this.drop();
    this.channel = channelOf(report, from);
    this.expected = u16be(report + LENGTH_AT);
    this.nextIn = 0;
  }

  /**
   * Copies the payload of a report. The bytes of an overlong command are counted to its end, so that it can
   * be answered, but the excess is not stored.
   */
  private copyIn(report: usize, at: i32, out: usize): bool {
    const count = min(this.expected - this.received, REPORT_LENGTH - at);
    if (this.received + count <= MAX_APDU) memory.copy(out + this.received, report + at, count);
    this.received += count;
    return this.received === this.expected;
  }
}

/**
 * Returns the channel of a report together with its link, because hosts on different links may choose the
 * same channel number.
 */
function channelOf(report: usize, from: i32): i32 {
  return ((from & MAX_LINK) << 16) | u16be(report);
}

function u16be(at: usize): i32 {
  return bswap<u16>(load<u16>(at));
}

function putU16be(at: usize, value: i32): void {
  store<u16>(at, bswap<u16>(<u16>value));
}
