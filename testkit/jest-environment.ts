/**
 * Jest's environment of most test files: the process of the worker that runs them, with its globals, so that
 * what they import is evaluated once a worker (`jest-runner.ts`). The variables of its environment, and what
 * Jest replaces, the console and `process.exit`, are put back after each file.
 *
 * A file that needs `jest`, for fake timers or spies, begins with the docblock `@jest-environment node`: it
 * has globals and modules to itself.
 */
export default class SharedEnvironment {
  readonly global = globalThis;
  /** Jest's runtime wants one; there is nothing to restore, as these files have no `jest` object. */
  readonly moduleMocker = { clearAllMocks: () => undefined, restoreAllMocks: () => undefined };
  private readonly console = globalThis.console;
  private readonly exit = process.exit;
  private readonly variables = { ...process.env };

  getVmContext(): object {
    return this.global;
  }

  exportConditions(): readonly string[] {
    return ['node', 'node-addons'];
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    globalThis.console = this.console;
    process.exit = this.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
  }
}
