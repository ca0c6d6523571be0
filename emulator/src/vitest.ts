// A test function for Vitest with its own emulator, and the matchers with their types.

import { expect, test as plainTest, type TestAPI } from 'vitest';
import { Emulator } from './harness/emulator.js';
import { type EmulatorMatchers, matchers } from './harness/jest-matchers.js';
import { followRunner } from './running-test.js';

declare module 'vitest' {
  interface Matchers<T> extends EmulatorMatchers<void> {}
}

expect.extend(matchers);

/** The fixtures of a `test`. */
export interface EmulatorFixtures {
  /**
   * An emulator that is started for the test and stopped at its end. If a command is then still pending, the
   * test fails.
   */
  emulator: Emulator;
}

/**
 * Vitest's `test` with an emulator.
 * @example test('is ready', ({ emulator }) => expect(emulator).toShow(['ZBC Signer', 'is ready']));
 */
export const test: TestAPI<EmulatorFixtures> = plainTest.extend<EmulatorFixtures>({
  async emulator({ task }, use) {
    followRunner(() => ({ ...expect.getState(), limitMs: task.timeout }));
    const emulator = await Emulator.start();
    await use(emulator);
    await emulator.stop();
  },
});
