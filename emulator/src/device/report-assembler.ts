const TAG = 5;
const CANCEL_TAG = 6;
/** More than any command or reply has; the end of what is longer is left out, for the log alone. */
const MOST = 4096;

/**
 * Reads commands and replies from the reports that go by (docs/APDU.md#hid), for the log: the firmware frames
 * them itself.
 */
export class ReportAssembler {
  #channel = -1;
  #sequence = 0;
  #expected = 0;
  #received = 0;
  readonly #payload = new Uint8Array(MOST);

  /** The message that this report completes, with the rules of the firmware; undefined before. */
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

/** The channel together with the link that the report came over, as the firmware tells them apart. */
export function channelOf(report: Uint8Array, link: number): number {
  return (link << 16) | u16be(report, 0);
}

/** Whether a report says that the host of a channel went away. */
export function isCancel(report: Uint8Array): boolean {
  return report[2] === CANCEL_TAG;
}

function u16be(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}
