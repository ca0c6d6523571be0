// Reports of 64 bytes as docs/APDU.md#transports has them, from its words alone.

/** channel u16be, 05, sequence u16be, in the first the length u16be, and payload; zeros behind. */
export function toReports(channel: number, apdu: Uint8Array): Uint8Array[] {
  const payload = Buffer.concat([Buffer.of(apdu.length >> 8, apdu.length & 0xff), apdu]);
  const reports: Uint8Array[] = [];
  for (let at = 0, sequence = 0; at < payload.length; at += 59, sequence++) {
    const report = Buffer.alloc(64);
    report.writeUInt16BE(channel, 0);
    report[2] = 5;
    report.writeUInt16BE(sequence, 3);
    report.set(payload.subarray(at, at + 59), 5);
    reports.push(report);
  }
  return reports;
}

/** Puts a reply together; throws on a report of another channel or out of turn. */
export class ReplyReader {
  #payload = Buffer.alloc(0);
  #next = 0;

  constructor(private readonly channel: number) {}

  /** The reply when this report completes it. */
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
