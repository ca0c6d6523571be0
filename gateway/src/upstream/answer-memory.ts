/** What one response may hold beyond the stream's own buffer, in bytes. */
const MAX_HELD = 1_048_576;
/** What all responses of a process may hold together. */
const MAX_HELD_BY_ALL = 67_108_864;

/**
 * Memory for responses that clients read more slowly than nodes send, so that connections to nodes become
 * free.
 */
export class AnswerMemory {
  #held = 0;

  /** Whether `bytes` more may be held by a response that holds `held`. */
  take(bytes: number, held: number): boolean {
    if (held + bytes > MAX_HELD || this.#held + bytes > MAX_HELD_BY_ALL) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
