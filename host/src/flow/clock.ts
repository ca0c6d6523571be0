/** The flow's source of time, replaceable in tests. */
export interface Clock {
  /** Milliseconds since 1970-01-01. */
  now(): number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (durationMs, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, durationMs);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};
