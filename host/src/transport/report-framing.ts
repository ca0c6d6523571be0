import { MAX_APDU } from '@zbc-signer/protocol/limits';
import { invalidReplyError } from '../errors.js';

/** Bytes of a report, without the report id that the operating system wants before it. */
const REPORT = 64;
const TAG = 0x05;
const CANCEL_TAG = 0x06;
const HEADER = 5;
const LENGTH_BYTES = 2;

/**
 * Reports of `channel u16be, 05, sequence u16be, payload`, zero padded; the payload starts with its length,
 * u16be (docs/APDU.md#hid).
 */
export function encodeReports(channel: number, apdu: Uint8Array): Uint8Array[] {
  const payload = Uint8Array.of(apdu.length >> 8, apdu.length & 0xff, ...apdu);
  const capacity = REPORT - HEADER;
  return Array.from({ length: Math.ceil(payload.length / capacity) }, (_, sequence) => {
    const report = new Uint8Array(REPORT);
    report.set([channel >> 8, channel & 0xff, TAG, sequence >> 8, sequence & 0xff]);
    report.set(payload.subarray(sequence * capacity, (sequence + 1) * capacity), HEADER);
    return report;
  });
}

/** Notifies the signer that the host of this channel is gone: it drops an open review. */
export function encodeCancel(channel: number): Uint8Array {
  const report = new Uint8Array(REPORT);
  report.set([channel >> 8, channel & 0xff, CANCEL_TAG]);
  return report;
}

/** Assembles one reply from the reports of one channel; ignores other channels. */
export class ReplyAssembler {
  #payload: number[] = [];
  #sequence = 0;

  constructor(readonly channel: number) {}

  /** How many reports of the reply have come. */
  get received(): number {
    return this.#sequence;
  }

  /**
   * The whole reply with its last report, undefined before; throws `INVALID_REPLY` for reports out of order
   * or a length that no reply has.
   */
  add(report: Uint8Array): Uint8Array | undefined {
    const view = new DataView(report.buffer, report.byteOffset, report.byteLength);
    if (report.length !== REPORT || view.getUint16(0) !== this.channel || view.getUint8(2) !== TAG) {
      return undefined;
    }
    if (view.getUint16(3) !== this.#sequence) throw invalidReplyError('a report of the reply is missing');
    this.#sequence += 1;
    this.#payload.push(...report.subarray(HEADER));
    return this.#whole();
  }

  #whole(): Uint8Array | undefined {
    const [high = 0, low = 0] = this.#payload;
    const length = high * 256 + low;
    if (length > MAX_APDU) {
      throw invalidReplyError(`a reply of ${length} bytes, expected at most ${MAX_APDU}`);
    }
    const end = LENGTH_BYTES + length;
    return this.#payload.length < end ? undefined : Uint8Array.from(this.#payload.slice(LENGTH_BYTES, end));
  }
}
