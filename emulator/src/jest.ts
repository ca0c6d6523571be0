// Adds the matchers to Jest's global `expect`, and their types to @types/jest and @jest/globals.

import { type EmulatorMatchers, matchers } from './harness/jest-matchers.js';

export { matchers };

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
  throw new Error(
    "Jest's global `expect` is missing: if injectGlobals is off, call expect.extend(matchers) instead",
  );
}
expect.extend(matchers);
