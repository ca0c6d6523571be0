// What the entries for Vitest use of it; who uses them has it, as it is too large for this repository.
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
