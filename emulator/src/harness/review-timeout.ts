/** Without a limit of the test: a test may start a program that takes seconds to send its command. */
const LONGEST_MS = 10_000;
/** Leaves a test enough of its time to fail with the message that there was no review. */
const SHARE_OF_TEST = 0.8;

/** What Jest keeps, as far as it is known since Jest 27. */
interface JestState {
  testTimeout?: number;
  currentlyRunningTest?: { timeout?: number | null } | null;
}

/**
 * How long to wait for a review where nobody says, in milliseconds: 10 s, but no more than 80 % of the limit
 * that Jest sets the running test.
 */
export function reviewTimeoutMs(): number {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  );
  const state = symbol && (Reflect.get(globalThis, symbol) as JestState | undefined);
  const limitMs = state?.currentlyRunningTest?.timeout || state?.testTimeout;
  return typeof limitMs === 'number' ? Math.min(LONGEST_MS, SHARE_OF_TEST * limitMs) : LONGEST_MS;
}
