const TAG = 5;
const CANCEL_TAG = 6;
/** Limit of a message; every valid command and reply is shorter. Further bytes are not kept. */
const MOST = 4096;

/**
 * Reassembles the commands or replies of one channel from their reports (docs/APDU.md#hid), so that the
 * emulator can report them in its events. The firmware does its own framing.
 */
export class ReportAssembler {
  #next = 0;
  #expected = 0;
  #received = 0;
  readonly #payload = new Uint8Array(MOST);

  /** Whether reports of a message have arrived, but not all. */
  get isUnfinished(): boolean {
    return this.#received < this.#expected;
  }

  /** Returns the message that this report completes, or undefined. */
  add(report: Uint8Array): Uint8Array | undefined {
    if (report[2] !== TAG) return undefined;
    if (u16be(report, 3) === 0) [this.#next, this.#received, this.#expected] = [0, 0, u16be(report, 5)];
    if (u16be(report, 3) !== this.#next) return undefined;
    const payload = report.subarray(this.#next === 0 ? 7 : 5);
    this.#next += 1;
    if (this.#received + payload.length <= MOST) this.#payload.set(payload, this.#received);
    this.#received += payload.length;
    return this.isUnfinished ? undefined : this.#payload.slice(0, this.#expected);
  }
}

/** The channel combined with the link, because the firmware distinguishes equal channels of two links. */
export function channelOf(report: Uint8Array, link: number): number {
  return (link << 16) | u16be(report, 0);
}

/** The link of such a channel. */
export function linkOf(channel: number): number {
  return channel >> 16;
}

/** Whether a report signals that the host of a channel is gone. */
export function isCancel(report: Uint8Array): boolean {
  return report[2] === CANCEL_TAG;
}

function u16be(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}
