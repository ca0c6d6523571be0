/** A runner's report of the running test. */
interface RunningTest {
  currentTestName?: string;
  testPath?: string;
  /** Time limit of the test. */
  limitMs?: number;
  /** Whether the test has failed, other than by its time limit. */
  hasFailed?: boolean;
}

/** Jest's own state, in the format since Jest 27. */
interface JestState {
  testTimeout?: number;
  currentlyRunningTest?: { timeout?: number | null; errors?: unknown[] } | null;
}

/** How Jest's error about the time limit begins. */
const TIME_IS_OVER = 'Exceeded timeout';

/**
 * The test of pytest that started this process, such as `tests/test_address.py::test_approved`. It is read
 * once, because reading the environment is slow.
 */
const STARTED_BY = globalThis.process?.env.PYTEST_CURRENT_TEST?.replace(/ \(\w+\)$/, '');

let runner = (): RunningTest => ({});

/** Sets the source of the running test, for a runner without globals. */
export function followRunner(running: () => RunningTest): void {
  runner = running;
}

/**
 * The name of the running test, if its runner reports it. Jest and Vitest report it to this process, and
 * pytest to the programs that a test starts.
 */
export function nameTest(): string | undefined {
  const { expect } = globalThis as { expect?: { getState?(): RunningTest } };
  const { currentTestName, testPath } = expect?.getState?.() ?? runner();
  const words = [testPath && fromHere(testPath), currentTestName].filter(Boolean);
  if (words.length > 0) return words.join(': ');
  return STARTED_BY;
}

/** The path without the working directory, if it begins with it. A page has none. */
function fromHere(path: string): string {
  const here = globalThis.process?.cwd();
  return here && path.startsWith(here) ? path.slice(here.length + 1) : path;
}

/** The time limit of the running test, from Jest, or from Vitest with the fixture of this package. */
export function testLimitMs(): number | undefined {
  const state = jestState();
  const limitMs = state?.currentlyRunningTest?.timeout || state?.testTimeout || runner().limitMs;
  return typeof limitMs === 'number' && limitMs > 0 ? limitMs : undefined;
}

/**
 * Whether the running test has failed, if Jest or Playwright reports it. The time limit is no failure here, because a
 * call that has not ended explains it.
 */
export function hasTestFailed(): boolean {
  const errors = jestState()?.currentlyRunningTest?.errors;
  return errors?.some(error => !String(error).startsWith(TIME_IS_OVER)) ?? runner().hasFailed ?? false;
}

function jestState(): JestState | undefined {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  );
  return symbol && Reflect.get(globalThis, symbol);
}
