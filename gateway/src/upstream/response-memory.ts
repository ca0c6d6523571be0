/** Bytes that all responses of a process may buffer together. */
const MAX_HELD = 67_108_864;

/** A response whose client reads more slowly than its node sends. */
export interface Holder {
  /** Bytes that the client has not read yet. */
  readonly held: number;
  giveUp(): void;
}

/**
 * Memory for responses that clients read more slowly than nodes send: nodes send at full speed, and their
 * connections become free. When it is full, the response that holds most is abandoned.
 */
export class ResponseMemory {
  readonly #maxHeld: number;
  readonly #holders = new Set<Holder>();
  #held = 0;

  constructor(maxHeld = MAX_HELD) {
    this.#maxHeld = maxHeld;
  }

  /**
   * Counts bytes that the holder has buffered and already included in `held`; the holder may be abandoned for
   * it.
   */
  take(holder: Holder, bytes: number): void {
    this.#holders.add(holder);
    this.#held += bytes;
    while (this.#held > this.#maxHeld && this.#holders.size > 0) this.#largest().giveUp();
  }

  release(holder: Holder, bytes: number): void {
    this.#held -= bytes;
    if (holder.held === 0) this.#holders.delete(holder);
  }

  #largest(): Holder {
    let largest: Holder | undefined;
    for (const holder of this.#holders) if (holder.held > (largest?.held ?? -1)) largest = holder;
    return largest!;
  }
}
