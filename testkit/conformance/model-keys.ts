/** Bits of the keys that a fault affects, as in a sample: 1 left, 2 right, 3 both. */
type AffectedKeys = readonly number[];

/** The possible faults of keys. */
export interface KeyFaults {
  /** Keys of which every sample is accepted without debouncing. */
  bouncing?: AffectedKeys;
  /** Keys of which a press counts that began before the frame was shown. */
  early?: AffectedKeys;
  /** Keys that count as repeated presses if they are held for this number of milliseconds. */
  repeated?: { keys: AffectedKeys; everyMs: number };
  /** Each key counts as a separate press if the other is held for this number of milliseconds longer. */
  apartMs?: number;
}

const STABLE_SAMPLES = 8;

/**
 * Two keys that are sampled once a millisecond. A state of the keys is accepted after eight equal samples. A
 * press has all keys that were down until all keys are up.
 */
export class ModelKeys {
  #seen = 0;
  #stable = 0;
  #chord = 0;
  #held = 0;
  #heldMs = 0;
  #isIgnored = true;

  constructor(private readonly faults: KeyFaults) {}

  /** Accepts a sample. Returns the keys of a press if this sample ends it, otherwise 0. */
  sample(down: number): number {
    if (!this.#isStable(down)) return 0;
    const { repeated, apartMs } = this.faults;
    const letGo = this.#chord & ~down;
    this.#chord |= down;
    this.#heldMs = down === this.#held ? this.#heldMs + 1 : 0;
    this.#held = down;
    if (repeated?.keys.includes(down) && this.#heldMs % repeated.everyMs === repeated.everyMs - 1)
      return this.#chord;
    if (down && letGo && apartMs !== undefined && this.#heldMs >= apartMs) {
      this.#chord = down;
      return letGo;
    }
    return down ? 0 : this.#end();
  }

  /**
   * Called when the display shows a new frame. Keys that are already down at this moment do not count as a
   * press for the new frame.
   */
  forget(): void {
    if (this.#seen || this.#stable < STABLE_SAMPLES) this.#isIgnored = true;
  }

  #end(): number {
    const press = this.#isIgnored && !this.faults.early?.includes(this.#chord) ? 0 : this.#chord;
    this.#chord = 0;
    this.#isIgnored = false;
    return press;
  }

  #isStable(down: number): boolean {
    if (down !== this.#seen) this.#stable = 0;
    else if (this.#stable < STABLE_SAMPLES) this.#stable++;
    else return true;
    this.#seen = down;
    return this.faults.bouncing?.includes(down || this.#chord) ?? false;
  }
}
