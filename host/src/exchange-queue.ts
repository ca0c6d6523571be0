import { throwIfAborted, untilAborted } from './cancellation.js';

/** Runs units of work one after another, each a command or a whole upload, so that their exchanges never interleave. */
export class ExchangeQueue {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * The unit's result, or AbortedError as soon as the signal fires. The next unit still waits until this one is over:
   * a transport that ignores signals is busy until then.
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
