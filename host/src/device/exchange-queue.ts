import { throwIfAborted, untilAborted } from '../cancellation.js';

/** Runs commands and whole uploads one after another, so that their exchanges never interleave. */
export class ExchangeQueue {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Resolves with the unit's result, or rejects with AbortedError as soon as the signal fires. The next unit
   * still waits for this one to end, because a transport may ignore signals.
   */
  run<Result>(unit: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const result = this.#last.then(() => {
      throwIfAborted(signal);
      return unit();
    });
    this.#last = result.catch(() => undefined);
    return untilAborted(result, signal);
  }
}
