import { relative } from 'node:path';

/** What a runner tells of the test that runs. */
interface RunningTest {
  currentTestName?: string;
  testPath?: string;
  /** Its time limit. */
  limitMs?: number;
}

/** What Jest keeps, as far as it is known since Jest 27. */
interface JestState {
  testTimeout?: number;
  currentlyRunningTest?: { timeout?: number | null } | null;
}

/** As `tests/test_address.py::test_approved (setup)`; reading the environment is slow. */
const STARTED_BY = process.env.PYTEST_CURRENT_TEST?.replace(/ \(\w+\)$/, '');

let runner = (): RunningTest => ({});

/** Whom to ask in a runner without globals. */
export function followRunner(running: () => RunningTest): void {
  runner = running;
}

/**
 * The test that runs now, as far as its runner tells: Jest and Vitest to this process, pytest to the programs
 * that a test starts.
 */
export function nameTest(): string | undefined {
  const { expect } = globalThis as { expect?: { getState?(): RunningTest } };
  const { currentTestName, testPath } = expect?.getState?.() ?? runner();
  const words = [testPath && relative(process.cwd(), testPath), currentTestName].filter(Boolean);
  if (words.length > 0) return words.join(': ');
  return STARTED_BY;
}

/** The time limit that Jest, or Vitest with our fixture, sets the test that runs. */
export function testLimitMs(): number | undefined {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  );
  const state = symbol && (Reflect.get(globalThis, symbol) as JestState | undefined);
  const limitMs = state?.currentlyRunningTest?.timeout || state?.testTimeout || runner().limitMs;
  return typeof limitMs === 'number' && limitMs > 0 ? limitMs : undefined;
}
