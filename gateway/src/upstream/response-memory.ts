import type { ServerResponse } from 'node:http';

/** Maximum number of bytes of all responses that a process holds. */
const MAX_HELD = 67_108_864;

/** Holds a response, or the part that has arrived so far. */
export interface AnswerHolder {
  /** Number of bytes, with those that the node announced; only ResponseMemory changes it. */
  held: number;
  /** Whether the node has sent the whole response. */
  readonly isReceived: boolean;
  /** Called when the bytes were released because the memory is full. */
  giveUp(): void;
}

/**
 * Memory for responses that nodes still send, or that clients have not read yet. If it is full, the largest
 * response is given up.
 */
export class ResponseMemory {
  readonly #maxHeld: number;
  /** Those that hold bytes, the first one first. */
  readonly #holders: AnswerHolder[] = [];
  #held = 0;

  constructor(maxHeld = MAX_HELD) {
    this.#maxHeld = maxHeld;
  }

  /** Counts further bytes of a holder. If this fills the memory, this holder may be given up. */
  take(holder: AnswerHolder, bytes: number): void {
    if (holder.held === 0) this.#holders.push(holder);
    holder.held += bytes;
    this.#held += bytes;
    while (this.#held > this.#maxHeld) {
      const largest = this.#largest();
      this.release(largest);
      largest.giveUp();
    }
  }

  /** Releases all bytes of a holder. */
  release(holder: AnswerHolder): void {
    const index = this.#holders.lastIndexOf(holder);
    if (index !== -1) this.#holders.splice(index, 1);
    this.#held -= holder.held;
    holder.held = 0;
  }

  /** Counts a body until its client has received it or has left. If it is given up, the connection is closed. */
  takeUntilSent(bytes: number, client: ServerResponse): void {
    // A client that has left closes no second time.
    if (client.destroyed) return;
    const holder = { held: 0, isReceived: true, giveUp: () => void client.destroy() };
    client.on('close', () => this.release(holder));
    this.take(holder, bytes);
  }

  /**
   * Returns the largest response. Of several, returns the first that only its client delays, otherwise the last,
   * so that the others are completed.
   */
  #largest(): AnswerHolder {
    return this.#holders.reduce((largest, each) =>
      each.held > largest.held || (each.held === largest.held && !largest.isReceived) ? each : largest,
    );
  }
}
