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
/** Offset in the longest command of the bytes that its last report carries. */
const LAST_PART_AT: u32 = REPORT_LENGTH - FIRST_PAYLOAD_AT + 3 * (REPORT_LENGTH - NEXT_PAYLOAD_AT);
/**
 * Number of bytes for an incoming command, with the padding of its last report. It is a multiple of 8, so that
 * copies of both incoming commands take the same time.
 */
export const INCOMING_BYTES: i32 = (LAST_PART_AT + REPORT_LENGTH - NEXT_PAYLOAD_AT + 7) & ~7;
const MAX_LINK = 0x7fff;
/** The channel of a command that did not arrive in reports. */
export const NO_CHANNEL = -1;

/** The length of a command of which a report is missing. */
export const NOT_WHOLE = -1;
/** The length of a command of which more reports must arrive. */
export const UNFINISHED = -2;

/** A command that arrives in reports of 64 bytes, or the channel of the last one. */
@unmanaged
class Incoming {
  /** Its channel in the low 16 bits, and the number of its link above them. */
  channel: i32;
  /** Length of the command, and the number of bytes received so far. Both are 0 if none is unfinished. */
  expected: i32;
  received: i32;
  /** Sequence number of its next report. */
  next: i32;

  begin(channel: i32, length: i32): void {
    this.channel = channel;
    this.expected = length;
    this.received = 0;
    this.next = 0;
  }

  get isUnfinished(): bool {
    return this.received !== this.expected;
  }

  /**
   * Copies the payload of a report with its padding to `out`, which has INCOMING_BYTES bytes. The bytes of an
   * overlong command are counted to its end, so that it can be answered, but the excess is not stored.
   */
  append(report: usize, out: usize): void {
    const at = this.next === 0 ? FIRST_PAYLOAD_AT : NEXT_PAYLOAD_AT;
    const received = this.received;
    if (<u32>received <= LAST_PART_AT) memory.copy(out + received, report + at, REPORT_LENGTH - at);
    this.received = received + min(this.expected - received, REPORT_LENGTH - at);
    this.next += 1;
  }
}

/** The commands that arrive in reports of 64 bytes, and the reply that is sent in reports. */
@unmanaged
export class Link {
  /** Which of the two incoming commands got the last report: 0 or 1. */
  latest: i32;
  /** Channel of the command that waits for the user's decision. */
  pending: i32;
  /** Channel of the header whose upload is in progress, or whose approval waits for REVEAL. */
  owner: i32;
  /** Channel and length of the reply that is being read, and the sequence number of its next report. */
  replyChannel: i32;
  replyLength: i32;
  nextOut: i32;

  /** Drops the incoming commands, the reply and the pending command. */
  clear(): void {
    this.incoming(0).begin(NO_CHANNEL, 0);
    this.incoming(1).begin(NO_CHANNEL, 0);
    this.latest = 0;
    this.replyLength = 0;
    this.pending = NO_CHANNEL;
    this.owner = NO_CHANNEL;
  }

  /**
   * Returns whether a report says that the host of the current review or unfinished upload has disconnected.
   */
  isCancelled(report: usize, channel: i32, reviewing: bool): bool {
    if (load<u8>(report, TAG_AT) !== CANCEL_TAG) return false;
    return channel === (reviewing ? this.pending : this.owner);
  }

  /**
   * Accepts a report of a channel. The bytes of the two incoming commands are kept at `bytes`. Returns
   * the length of the command that must now be answered, after moving it to the MAX_APDU bytes at `out`.
   * Returns NOT_WHOLE if a report before this one is missing, or if this one begins the next command although
   * the last is unfinished. Otherwise returns UNFINISHED. Further reports of an answered command are ignored.
   */
  take(report: usize, channel: i32, bytes: usize, out: usize): i32 {
    if (load<u8>(report, TAG_AT) !== TAG) return UNFINISHED;
    const sequence = u16be(report + SEQUENCE_AT);
    const incoming = this.select(channel);
    const isKnown = incoming.channel === channel;
    const wasUnfinished = incoming.isUnfinished;
    if (sequence === 0) incoming.begin(channel, u16be(report + LENGTH_AT));
    else if (isKnown && !wasUnfinished) return UNFINISHED;
    else if (!isKnown || sequence !== incoming.next) {
      if (isKnown || !wasUnfinished) incoming.begin(channel, 0);
      return NOT_WHOLE;
    }
    const own = bytes + (this.latest & 1) * INCOMING_BYTES;
    incoming.append(report, own);
    if (incoming.isUnfinished) return sequence === 0 && isKnown && wasUnfinished ? NOT_WHOLE : UNFINISHED;
    const length = incoming.expected;
    memory.copy(out, own, MAX_APDU);
    memory.fill(own, 0, INCOMING_BYTES);
    incoming.begin(channel, 0);
    return length;
  }

  /**
   * Selects the incoming command of a channel. If the channel has none, selects a finished one in its place,
   * or the one that has waited longer for a report.
   */
  private select(channel: i32): Incoming {
    const last = this.incoming(this.latest);
    const other = this.incoming(this.latest ^ 1);
    if (last.channel === channel) return last;
    if (other.channel !== channel && other.isUnfinished && !last.isUnfinished) return last;
    this.latest ^= 1;
    return other;
  }

  private incoming(number: i32): Incoming {
    return changetype<Incoming>(
      changetype<usize>(this) + offsetof<Link>() + (number & 1) * offsetof<Incoming>(),
    );
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
}

/** Number of bytes of the state of all links. */
export const LINK_SIZE: i32 = <i32>offsetof<Link>() + 2 * <i32>offsetof<Incoming>();

/**
 * Returns the channel of a report together with its link, because hosts on different links may choose the
 * same channel number.
 */
export function channelOf(report: usize, from: i32): i32 {
  return ((from & MAX_LINK) << 16) | u16be(report);
}

function u16be(at: usize): i32 {
  return bswap<u16>(load<u16>(at));
}

function putU16be(at: usize, value: i32): void {
  store<u16>(at, bswap<u16>(<u16>value));
}
