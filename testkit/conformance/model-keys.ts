/** The possible faults of keys. */
export interface KeyFaults {
  /** Accepts every sample without debouncing. */
  isBouncing?: boolean;
  /** Counts a press that began before the frame was shown. */
  countsEarly?: boolean;
  /** Presses again while a key is held. */
  repeats?: boolean;
  /** Handles each key separately when it is released. */
  isApart?: boolean;
}

const STABLE_SAMPLES = 8;
const REPEATED_EVERY = 400;

/**
 * Two keys, sampled once a millisecond: a press includes all keys until all are up, with eight equal samples.
 */
export class ModelKeys {
  #seen = 0;
  #stable = 0;
  #chord = 0;
  #held = 0;
  #isIgnored = true;

  constructor(private readonly faults: KeyFaults) {}

  /** The keys of a finished press, otherwise 0. */
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

  /** Notes that the display shows a new frame. */
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
