import { AbortedError } from './errors.js';

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

/** Throws AbortedError once the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new AbortedError(signal.reason);
  }
}

/** The promise's outcome, or AbortedError as soon as the signal fires, whichever comes first. */
export function untilAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) {
    return promise;
  }
  return new Promise((resolve, reject) => {
    const abort = () => reject(new AbortedError(signal.reason));
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) {
      abort();
    }
  });
}
