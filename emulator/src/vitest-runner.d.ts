// Declares the used part of Vitest, which is too large a dependency for this repository; users of the Vitest
// entries have it.
declare module 'vitest' {
  interface Matchers<T> {
    readonly subject?: T;
  }

  interface TestContext {
    readonly task: { readonly timeout: number };
  }

  type Fixtures<Added> = {
    [Name in keyof Added]:
      | Added[Name]
      | ((context: Added & TestContext, use: (value: Added[Name]) => Promise<void>) => Promise<void>);
  };

  interface TestAPI<Context> {
    extend<Added extends object>(fixtures: Fixtures<Added>): TestAPI<Context & Added>;
  }

  const test: TestAPI<object>;
  const expect: {
    extend(matchers: object): void;
    getState(): { currentTestName?: string; testPath?: string };
  };
}
