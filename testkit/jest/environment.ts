/** Objects whose properties a test could change for later files. */
const WATCHED: Readonly<Record<string, object>> = { globalThis, process, Date, Math, JSON };
/** Properties that Circus, Jest and the file system of browsers' drivers replace. */
const REPLACED =
  /^globalThis\.(?:(?:after|before)(?:All|Each)|[fx]?(?:describe|it|test)|expect)$|^process\.(?:_|(?:chdir|cwd)$)/;
/** The value of a property with a getter, which Node replaces by the real value at the first use. */
const NOT_READ = Symbol('not read');

/** The state of the process that outlives a test file, by name. */
function readState(): Map<string, unknown> {
  const state = new Map<string, unknown>([
    ['the working directory', process.cwd()],
    ['process.exitCode', process.exitCode],
  ]);
  for (const [object, value] of Object.entries(WATCHED))
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(value)))
      state.set(`${object}.${key}`, 'value' in property ? property.value : NOT_READ);
  for (const [name, value] of Object.entries(process.env)) state.set(`process.env.${name}`, value);
  for (const event of process.eventNames())
    state.set(`listeners of ${String(event)}`, process.listenerCount(event));
  return state;
}

/** The names of changed entries; libraries such as AssemblyScript add to globals and Math when imported. */
function differences(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .filter(name => !Object.is(before.get(name), after.get(name)) && before.get(name) !== NOT_READ)
    .filter(name => !REPLACED.test(name) && (before.has(name) || /^(?:process\.env|listeners)/.test(name)));
}

/**
 * Jest's environment of most test files: it shares the globals of the worker's process, so that imports are
 * evaluated once per worker (`runner.ts`). A file that leaves its process changed fails.
 *
 * A file that replaces globals, with fake timers or spies, begins with the docblock `@jest-environment node`:
 * it has globals and modules to itself.
 */
export default class SharedEnvironment {
  readonly global = globalThis;
  /** Jest's runtime requires a mocker; it restores nothing, because these files have no `jest` object. */
  readonly moduleMocker = { clearAllMocks: () => undefined, restoreAllMocks: () => undefined };
  private readonly before: ReadonlyMap<string, unknown>;
  private readonly console = globalThis.console;
  private readonly exit = process.exit;
  private readonly getBuiltinModule = process.getBuiltinModule;

  /** The globals of a Jest project apply to its files. */
  constructor({ projectConfig }: { projectConfig: { globals: object } }) {
    Object.assign(globalThis, projectConfig.globals);
    this.before = readState();
  }

  getVmContext(): object {
    return this.global;
  }

  exportConditions(): readonly string[] {
    return ['node', 'node-addons'];
  }

  /** Loads Node's fetch first: if the package undici were loaded before, it would handle fetch's requests. */
  async setup(): Promise<void> {
    await fetch('data:,');
  }

  async teardown(): Promise<void> {
    // Jest's own console belongs to the file.
    globalThis.console = this.console;
    process.exit = this.exit;
    process.getBuiltinModule = this.getBuiltinModule;
    const changed = differences(this.before, readState());
    if (changed.length > 0) throw new Error(`this file leaves changed for others: ${changed.join(', ')}`);
  }
}
