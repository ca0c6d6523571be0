import { isDeepStrictEqual } from 'node:util';
import type { ReviewItem } from '@zbc-signer/chain';
import { ReviewMismatchError } from '../review/expect-review.js';
import { keepFailureTrace } from '../review/failure-trace.js';
import { SnapshotMismatchError, type SnapshotOptions } from '../snapshots/expect-snapshots.js';
import { Emulator } from './emulator.js';

interface MatcherResult {
  pass: boolean;
  message(): string;
}

/** Types of the matchers' calls. */
export interface EmulatorMatchers<R> {
  /** Compares the texts that are on the screen now: the title, then the lines. */
  toShow(texts: readonly string[]): R;
  /** Waits for a review and compares all of its items; stays on the approve page. */
  toShowReview(items: readonly ReviewItem[]): Promise<void>;
  /** Waits for a review and compares the pixels of its pages with the images in a directory. */
  toMatchSnapshots(directory: string, options?: SnapshotOptions): Promise<void>;
}

/**
 * Matchers for `expect.extend` of Jest or a compatible runner. Each is called on an Emulator:
 * `expect(emulator)`.
 */
export const matchers = {
  /** Compares the texts that are on the screen now: the title, then the lines. */
  toShow(value: unknown, texts: readonly string[]): MatcherResult {
    const emulator = expectEmulator(value);
    const shown = emulator.texts();
    const pass = isDeepStrictEqual(shown, [...texts]);
    const describe = () =>
      pass
        ? `expected the screen not to show ${JSON.stringify(shown)}`
        : `the screen differs\n\n  expected: ${JSON.stringify(texts)}\n  actual:   ${JSON.stringify(shown)}`;
    const message = () => {
      const words = describe();
      return words + keepFailureTrace(emulator, { message: words, ...(!pass && { expected: { texts } }) });
    };
    return { pass, message };
  },

  /** See expectReview. */
  toShowReview(emulator: unknown, items: readonly ReviewItem[]): Promise<MatcherResult> {
    const met = 'expected the device not to show this review';
    return resultOf(expectEmulator(emulator).expectReview(items), ReviewMismatchError, met);
  },

  /** See expectSnapshots. */
  toMatchSnapshots(emulator: unknown, directory: string, options?: SnapshotOptions): Promise<MatcherResult> {
    const met = `expected the screens not to match ${directory}`;
    return resultOf(expectEmulator(emulator).expectSnapshots(directory, options), SnapshotMismatchError, met);
  },
};

/** A mismatch fails the matcher; any other error is rethrown. */
async function resultOf(
  check: Promise<void>,
  mismatch: new (...args: never[]) => Error,
  met: string,
): Promise<MatcherResult> {
  try {
    await check;
    return { pass: true, message: () => met };
  } catch (error) {
    if (!(error instanceof mismatch)) throw error;
    return { pass: false, message: () => error.message };
  }
}

function expectEmulator(value: unknown): Emulator {
  if (value instanceof Emulator) return value;
  throw new TypeError('this matcher needs an Emulator, as in expect(emulator)');
}
