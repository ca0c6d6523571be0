const COUNT = 8;
const SETS = 0x10000 / COUNT;

/**
 * The channels of one program: a random set of eight, taken in turn, so that a report that comes late or
 * twice is not a reply to the next command. The set is small, so that two programs seldom share one.
 */
export class ReportChannels {
  readonly #first = (globalThis.crypto.getRandomValues(new Uint16Array(1))[0]! % SETS) * COUNT;
  #taken = 0;

  /** For the next command. */
  take(): number {
    const channel = this.#first + (this.#taken % COUNT);
    this.#taken += 1;
    return channel;
  }

  /** Those of the last eight commands. */
  taken(): number[] {
    return Array.from({ length: Math.min(this.#taken, COUNT) }, (_, at) => this.#first + at);
  }
}
