import { relative } from 'node:path';

/** What Jest's and Vitest's global `expect` tells. */
interface RunnerState {
  currentTestName?: string;
  testPath?: string;
}

/** As `tests/test_address.py::test_approved (setup)`; reading the environment is slow. */
const STARTED_BY = process.env.PYTEST_CURRENT_TEST?.replace(/ \(\w+\)$/, '');

/**
 * The test that runs now, as far as its runner tells: Jest and Vitest to this process, pytest to the programs
 * that a test starts.
 */
export function nameTest(): string | undefined {
  const { expect } = globalThis as { expect?: { getState?(): RunnerState } };
  const { currentTestName, testPath } = expect?.getState?.() ?? {};
  const words = [testPath && relative(process.cwd(), testPath), currentTestName].filter(Boolean);
  if (words.length > 0) return words.join(': ');
  return STARTED_BY;
}
