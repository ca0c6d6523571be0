// Declares the part of Vitest that is used here. Vitest itself is too large a dependency for this repository;
// the users of the Vitest modules have it.
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
