import { isDeepStrictEqual } from 'node:util';
import { ReviewMismatchError } from './expect-review.js';
import { Emulator } from './harness.js';
import type { ReviewItem } from './review-pages.js';
import { SnapshotMismatchError, type SnapshotOptions } from './snapshots.js';

interface MatcherResult {
  pass: boolean;
  message(): string;
}

/** For `expect.extend`: of jest, or of any runner that takes jest's matchers. Each takes an Emulator. */
export const matchers = {
  /** The texts on the screen now: the title, then the lines. */
  toShow(emulator: unknown, texts: readonly string[]): MatcherResult {
    const shown = expectEmulator(emulator).texts();
    const pass = isDeepStrictEqual(shown, [...texts]);
    const message = () =>
      pass
        ? `the screen shows ${JSON.stringify(shown)}, and should not`
        : `the screen shows another text\n\n  expected: ${JSON.stringify(texts)}\n  shown:    ${JSON.stringify(shown)}`;
    return { pass, message };
  },

  /** See expectReview. */
  toShowReview(emulator: unknown, items: readonly ReviewItem[]): Promise<MatcherResult> {
    const met = 'the device shows this review, and should not';
    return judge(expectEmulator(emulator).expectReview(items), ReviewMismatchError, met);
  },

  /** See expectSnapshots. */
  toMatchSnapshots(emulator: unknown, folder: string, options?: SnapshotOptions): Promise<MatcherResult> {
    const met = `the screens match ${folder}, and should not`;
    return judge(expectEmulator(emulator).expectSnapshots(folder, options), SnapshotMismatchError, met);
  },
};

/** A mismatch is a verdict; any other error is the test's own. */
async function judge(
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
  throw new TypeError('this matcher takes an Emulator: expect(emulator)');
}
