const COUNT = 8;
const SETS = 0x10000 / COUNT;

/**
 * The channels of one program: a random set of eight, used in turn, so that a late or repeated report is not
 * mistaken for a reply to the next command. The set is small, so that two programs rarely share a channel.
 */
export class ReportChannels {
  #set = randomSet();
  #count = 0;
  #lastUsed: number[] = [];

  /** The channel for the next command, which no pending command uses. Fewer than eight may be pending. */
  take(waiting: ReadonlyMap<number, unknown> = new Map()): number {
    let channel: number;
    do {
      channel = this.#set * COUNT + (this.#count % COUNT);
      this.#count += 1;
    } while (waiting.has(channel));
    this.#lastUsed = [...this.#lastUsed.filter(other => other !== channel), channel].slice(-COUNT);
    return channel;
  }

  /** Channels of the last eight commands. */
  get lastUsed(): readonly number[] {
    return this.#lastUsed;
  }

  /** Chooses another set, because an unexpected reply may still arrive on the old one. */
  renew(): void {
    this.#set = (this.#set + 1 + (randomSet() % (SETS - 1))) % SETS;
  }
}

function randomSet(): number {
  return globalThis.crypto.getRandomValues(new Uint16Array(1))[0]! % SETS;
}
