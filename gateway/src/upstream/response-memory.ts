/** Maximum number of bytes that all responses of a process may buffer together. */
const MAX_HELD = 67_108_864;

/** A response whose client reads more slowly than its node sends. */
export interface SlowResponse {
  /** Bytes that the client has not read yet. */
  readonly held: number;
  giveUp(): void;
}

/**
 * Memory for responses that clients read more slowly than nodes send. Nodes can send at full speed, and their
 * connections become free. If the memory is full, the response that holds the most bytes is cut off.
 */
export class ResponseMemory {
  readonly #maxHeld: number;
  readonly #holders = new Set<SlowResponse>();
  #held = 0;

  constructor(maxHeld = MAX_HELD) {
    this.#maxHeld = maxHeld;
  }

  /**
   * Counts bytes that the holder has buffered and already included in `held`. If this fills the memory, the
   * holder's own response may be cut off.
   */
  take(holder: SlowResponse, bytes: number): void {
    this.#holders.add(holder);
    this.#held += bytes;
    while (this.#held > this.#maxHeld && this.#holders.size > 0) this.#largest().giveUp();
  }

  release(holder: SlowResponse, bytes: number): void {
    this.#held -= bytes;
    if (holder.held === 0) this.#holders.delete(holder);
  }

  #largest(): SlowResponse {
    let largest: SlowResponse | undefined;
    for (const holder of this.#holders) if (holder.held > (largest?.held ?? -1)) largest = holder;
    return largest!;
  }
}
