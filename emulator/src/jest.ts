// Adds the matchers to Jest's global `expect`, and their types to @types/jest and @jest/globals.

import type { ReviewItem } from '@zbc-signer/chain';
import { matchers } from './harness/jest-matchers.js';
import type { SnapshotOptions } from './snapshots/expect-snapshots.js';

export { matchers };

interface EmulatorMatchers<R> {
  /** The texts on the screen now: the title, then the lines. */
  toShow(texts: readonly string[]): R;
  /** Waits for a review and compares all of its items; stays on the approve page. */
  toShowReview(items: readonly ReviewItem[]): Promise<void>;
  /** Waits for a review and compares the pixels of its pages with the images in a directory. */
  toMatchSnapshots(directory: string, options?: SnapshotOptions): Promise<void>;
}

declare global {
  namespace jest {
    interface Matchers<R, T> extends EmulatorMatchers<R> {}
  }
}

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> extends EmulatorMatchers<R> {}
}

const { expect } = globalThis as { expect?: { extend(added: object): void } };
if (!expect) {
  throw new Error("Jest's global `expect` is missing: without injectGlobals, call expect.extend(matchers)");
}
expect.extend(matchers);
