import { AbortedError } from '@zbc-signer/chain';
import { throwIfAborted } from './cancellation.js';

/** The flow's source of time, replaceable in tests. */
export interface Clock {
  /** Returns milliseconds since 1970-01-01. */
  now(): number;
  /** Milliseconds of a monotonic clock, for deadlines. Default: `now`. */
  elapsed?(): number;
  /** Rejects with AbortedError as soon as the signal fires. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** The chain accepts a timestamp within an hour of its own clock. */
export const WINDOW_SECONDS = 3600n;

/** The time of the clock in whole Unix seconds. */
export function secondsOf(clock: Clock): bigint {
  return BigInt(Math.floor(clock.now() / 1000));
}

/** Milliseconds of the monotonic clock, for deadlines. */
export function elapsedMs(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now();
}

/**
 * The seconds by which a timestamp (Unix seconds) is ahead of the clock; negative if it is behind the clock.
 */
export function secondsAhead(clock: Clock, timestamp: bigint): bigint {
  return timestamp - secondsOf(clock);
}

/** The clock of this computer. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (durationMs, signal) =>
    new Promise((resolve, reject) => {
      throwIfAborted(signal);
      const stop = () => {
        clearTimeout(timer);
        reject(new AbortedError(signal?.reason));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, durationMs);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};
