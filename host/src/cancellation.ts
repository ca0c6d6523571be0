import { AbortedError } from '@zbc-signer/chain';

/** Throws AbortedError once the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AbortedError(signal.reason);
}

/** Settles like the promise, or rejects with AbortedError as soon as the signal fires, unless `isDecided` then. */
export function untilAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
  isDecided = () => false,
): Promise<Result> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => {
      if (!isDecided()) reject(new AbortedError(signal.reason));
    };
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });
}
