/** The possible faults of keys. */
export interface KeyFaults {
  /** Whether every sample is accepted without debouncing. */
  isBouncing?: boolean;
  /** Whether a press counts that began before the frame was shown. */
  countsEarly?: boolean;
  /** Whether a key that is held counts as repeated presses. */
  repeats?: boolean;
  /** Whether each key counts as a separate press when it is released. */
  isApart?: boolean;
}

const STABLE_SAMPLES = 8;
const REPEATED_EVERY = 400;

/**
 * Two keys that are sampled once a millisecond. A state of the keys is accepted after eight equal samples. A
 * press has all keys that were down until all keys are up.
 */
export class ModelKeys {
  #seen = 0;
  #stable = 0;
  #chord = 0;
  #held = 0;
  #isIgnored = true;

  constructor(private readonly faults: KeyFaults) {}

  /** Accepts a sample. Returns the keys of a press if this sample ends it, otherwise 0. */
  sample(down: number): number {
    if (!this.#isStable(down)) return 0;
    const letGo = this.#chord & ~down;
    this.#chord |= down;
    this.#held = down ? this.#held + 1 : 0;
    if (this.faults.repeats && down && this.#held % REPEATED_EVERY === 0) return this.#chord;
    if (this.faults.isApart && down && letGo) {
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
    const isUp = this.#seen === 0 && this.#stable === STABLE_SAMPLES;
    if (!isUp && !this.faults.countsEarly) this.#isIgnored = true;
  }

  #end(): number {
    const press = this.#isIgnored ? 0 : this.#chord;
    this.#chord = 0;
    this.#isIgnored = false;
    return press;
  }

  #isStable(down: number): boolean {
    if (down !== this.#seen) this.#stable = 0;
    else if (this.#stable < STABLE_SAMPLES) this.#stable++;
    else return true;
    this.#seen = down;
    return this.faults.isBouncing ?? false;
  }
}
