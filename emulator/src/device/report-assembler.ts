const TAG = 5;
const CANCEL_TAG = 6;
/** Limit of a message; every valid command and reply is shorter. Further bytes are not kept. */
const MOST = 4096;

/**
 * Reassembles commands and replies from reports (docs/APDU.md#hid), so that the emulator can report them in
 * its events. The firmware does its own framing.
 */
export class ReportAssembler {
  #channel = -1;
  #sequence = 0;
  #expected = 0;
  #received = 0;
  readonly #payload = new Uint8Array(MOST);

  /** Returns the message that this report completes, by the same rules as in the firmware, or undefined. */
  add(report: Uint8Array, link = 0): Uint8Array | undefined {
    if (report[2] !== TAG) return undefined;
    const sequence = u16be(report, 3);
    if (sequence === 0) this.#begin(report, link);
    else if (channelOf(report, link) !== this.#channel || this.#received >= this.#expected) return undefined;
    if (sequence !== this.#sequence) {
      this.#expected = 0;
      return undefined;
    }
    this.#sequence += 1;
    const payload = report.subarray(sequence === 0 ? 7 : 5);
    if (this.#received + payload.length <= MOST) this.#payload.set(payload, this.#received);
    this.#received += payload.length;
    return this.#received < this.#expected ? undefined : this.#payload.slice(0, this.#expected);
  }

  #begin(report: Uint8Array, link: number): void {
    this.#channel = channelOf(report, link);
    this.#expected = u16be(report, 5);
    this.#sequence = 0;
    this.#received = 0;
  }
}

/** The channel combined with the link, because the firmware distinguishes equal channels of two links. */
export function channelOf(report: Uint8Array, link: number): number {
  return (link << 16) | u16be(report, 0);
}

/** Whether a report signals that the host of a channel is gone. */
export function isCancel(report: Uint8Array): boolean {
  return report[2] === CANCEL_TAG;
}

function u16be(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}
