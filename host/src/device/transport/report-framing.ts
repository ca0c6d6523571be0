import { MAX_APDU } from '@zbc-signer/protocol/limits';
import { invalidReplyError } from '../../errors.js';

/** Bytes of a report, without the report id that the operating system expects before it. */
export const REPORT_LENGTH = 64;
const TAG = 0x05;
const CANCEL_TAG = 0x06;
const HEADER = 5;
const LENGTH_BYTES = 2;
const CAPACITY = REPORT_LENGTH - HEADER;

/**
 * Splits a command into reports of `channel u16be, 05, sequence u16be, payload`, padded with zeros. The
 * payload starts with the length of the command, u16be (docs/APDU.md#hid).
 */
export function encodeReports(channel: number, apdu: Uint8Array): Uint8Array[] {
  const payload = new Uint8Array(LENGTH_BYTES + apdu.length);
  payload.set([apdu.length >> 8, apdu.length & 0xff]);
  payload.set(apdu, LENGTH_BYTES);
  return Array.from({ length: Math.ceil(payload.length / CAPACITY) }, (_, sequence) => {
    const report = new Uint8Array(REPORT_LENGTH);
    report.set([channel >> 8, channel & 0xff, TAG, sequence >> 8, sequence & 0xff]);
    report.set(payload.subarray(sequence * CAPACITY, (sequence + 1) * CAPACITY), HEADER);
    return report;
  });
}

/** Notifies the signer that the host of this channel is gone, so that it drops an open review. */
export function encodeCancel(channel: number): Uint8Array {
  const report = new Uint8Array(REPORT_LENGTH);
  report.set([channel >> 8, channel & 0xff, CANCEL_TAG]);
  return report;
}

/** Assembles one reply from the reports of one channel; ignores other channels. */
export class ReplyAssembler {
  readonly #payload = new Uint8Array(Math.ceil((LENGTH_BYTES + MAX_APDU) / CAPACITY) * CAPACITY);
  #sequence = 0;

  constructor(readonly channel: number) {}

  /** Number of reports received so far. */
  get received(): number {
    return this.#sequence;
  }

  /**
   * Returns the reply once its last report is added, until then undefined. Throws `INVALID_REPLY` if a report
   * is out of order or the length of the reply is invalid.
   */
  add(report: Uint8Array): Uint8Array | undefined {
    if (report.length !== REPORT_LENGTH || u16be(report, 0) !== this.channel || report[2] !== TAG) {
      return undefined;
    }
    if (u16be(report, 3) !== this.#sequence) throw invalidReplyError('a report of the reply is missing');
    this.#payload.set(report.subarray(HEADER), this.#sequence * CAPACITY);
    this.#sequence += 1;
    return this.#whole();
  }

  #whole(): Uint8Array | undefined {
    const length = u16be(this.#payload, 0);
    if (length > MAX_APDU) {
      throw invalidReplyError(`the reply has ${length} bytes, expected at most ${MAX_APDU}`);
    }
    const end = LENGTH_BYTES + length;
    return this.#sequence * CAPACITY < end ? undefined : this.#payload.slice(LENGTH_BYTES, end);
  }
}

function u16be(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}
