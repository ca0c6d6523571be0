// The framing of docs/APDU.md#transports. The code is independent of the host library and the firmware.

const REPORT = 64;
const HEADER = 5;

/** Returns the reports of one command or reply on a channel. */
export function framed(channel: number, bytes: Uint8Array): Uint8Array[] {
  const counted = Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]);
  const reports: Uint8Array[] = [];
  for (let at = 0; at < counted.length; at += REPORT - HEADER) {
    const report = new Uint8Array(REPORT);
    report.set([channel >> 8, channel & 0xff, 5, reports.length >> 8, reports.length & 0xff]);
    report.set(counted.subarray(at, at + REPORT - HEADER), HEADER);
    reports.push(report);
  }
  return reports;
}

/**
 * Returns the command or reply in the reports. Undefined unless the reports are one whole command or reply on
 * this channel, in order.
 */
export function unframed(channel: number, reports: readonly Uint8Array[]): Buffer | undefined {
  const payload = Buffer.concat(reports.map(report => report.subarray(HEADER)));
  const length = payload.length < 2 ? Number.POSITIVE_INFINITY : payload.readUInt16BE(0);
  const expected = length < payload.length ? framed(channel, payload.subarray(2, 2 + length)) : [];
  const isWhole =
    expected.length === reports.length &&
    expected.every((report, at) => Buffer.from(report).equals(reports[at]!));
  return isWhole ? payload.subarray(2, 2 + length) : undefined;
}

/** Assembles a reply from its reports. Throws if a report belongs to another channel or is out of order. */
export class ReplyReader {
  #payload = Buffer.alloc(0);
  #next = 0;

  constructor(private readonly channel: number) {}

  /** Accepts a report. Returns the reply if this report completes it. */
  take(report: Uint8Array): Uint8Array | undefined {
    const bytes = Buffer.from(report);
    const header = [bytes.readUInt16BE(0), bytes[2], bytes.readUInt16BE(3), bytes.length];
    expect(header).toEqual([this.channel, 5, this.#next++, 64]);
    this.#payload = Buffer.concat([this.#payload, bytes.subarray(5)]);
    const end = 2 + this.#payload.readUInt16BE(0);
    if (this.#payload.length < end) return undefined;
    expect(this.#payload.subarray(end).every(byte => byte === 0)).toBe(true);
    return new Uint8Array(this.#payload.subarray(2, end));
  }
}
