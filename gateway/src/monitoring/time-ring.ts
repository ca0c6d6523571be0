/** What one step of a ring is, and how many it keeps: the last hour. */
export const STEP_SECONDS = 30;
export const STEPS = 120;

/** The steps of a ring that were counted, in no order, and their rows one after another. */
export interface RingCopy {
  steps: Int32Array;
  values: Float64Array;
}

/** Rows of numbers for the last STEPS steps of a clock; its memory is fixed. */
export class TimeRing {
  readonly #width: number;
  readonly #steps = new Int32Array(STEPS).fill(-1);
  readonly #values: Float64Array;
  /** The one that was asked for last. */
  #last: { step: number; row: Float64Array } | undefined;

  constructor(width: number) {
    this.#width = width;
    this.#values = new Float64Array(STEPS * width);
  }

  /** The numbers of a step, to change; zeros when it is new. */
  row(step: number): Float64Array {
    if (this.#last?.step === step) return this.#last.row;
    const slot = step % STEPS;
    const row = this.#values.subarray(slot * this.#width, (slot + 1) * this.#width);
    if (this.#steps[slot] !== step) {
      this.#steps[slot] = step;
      row.fill(0);
    }
    this.#last = { step, row };
    return row;
  }

  copy(): RingCopy {
    return { steps: this.#steps.slice(), values: this.#values.slice() };
  }
}

/** The rows of the steps up to `newest`, the oldest first; undefined where nothing was counted. */
export function rowsOf({ steps, values }: RingCopy, newest: number): (Float64Array | undefined)[] {
  const width = values.length / STEPS;
  return Array.from({ length: STEPS }, (_, index) => {
    const step = newest - STEPS + 1 + index;
    const slot = ((step % STEPS) + STEPS) % STEPS;
    return steps[slot] === step ? values.subarray(slot * width, (slot + 1) * width) : undefined;
  });
}
