const COUNT = 8;
const SETS = 0x10000 / COUNT;

/**
 * The channels of one program: a random set of eight, taken in turn, so that a report that comes late or
 * twice is not a reply to the next command. The set is small, so that two programs seldom share one.
 */
export class ReportChannels {
  #set = randomSet();
  #count = 0;
  #recent: number[] = [];

  /** For the next command: none of those that still wait for a reply, which are fewer than eight. */
  take(waiting: ReadonlyMap<number, unknown> = new Map()): number {
    let channel: number;
    do {
      channel = this.#set * COUNT + (this.#count % COUNT);
      this.#count += 1;
    } while (waiting.has(channel));
    this.#recent = [...this.#recent.filter(other => other !== channel), channel].slice(-COUNT);
    return channel;
  }

  /** Those of the last eight commands. */
  get recent(): readonly number[] {
    return this.#recent;
  }

  /** Takes another set: a reply that nobody waits for may come at any time. */
  renew(): void {
    this.#set = (this.#set + 1 + (randomSet() % (SETS - 1))) % SETS;
  }
}

function randomSet(): number {
  return globalThis.crypto.getRandomValues(new Uint16Array(1))[0]! % SETS;
}
