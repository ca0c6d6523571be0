/** Objects whose properties a test could modify, which would affect later files. */
const WATCHED: Readonly<Record<string, object>> = { globalThis, process, Date, Math, JSON };
/** Properties that may differ, because Circus, Jest or the drivers of browsers replace them. */
const REPLACED =
  /^globalThis\.(?:(?:after|before)(?:All|Each)|[fx]?(?:describe|it|test)|expect)$|^process\.(?:_|(?:chdir|cwd)$)/;
/**
 * Stands for the value of a property with a getter. It is not read, because Node replaces it at the first
 * read.
 */
const NOT_READ = Symbol('not read');

/** Returns the state of the process that outlives a test file, by name. */
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

/**
 * Returns the names of changed entries. Of new entries, only environment variables and listeners count,
 * because libraries such as AssemblyScript add properties to globals and Math when they are imported.
 */
function differences(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .filter(name => !Object.is(before.get(name), after.get(name)) && before.get(name) !== NOT_READ)
    .filter(name => !REPLACED.test(name) && (before.has(name) || /^(?:process\.env|listeners)/.test(name)));
}

/**
 * Jest's environment of most test files. The files share the globals of the worker's process, so that imports
 * are evaluated once per worker (`runner.ts`). A file fails if it leaves its process modified.
 *
 * A file that replaces globals, with fake timers or spies, begins with the docblock `@jest-environment node`.
 * It then has its own globals and modules.
 */
export default class SharedEnvironment {
  readonly global = globalThis;
  /** A mocker, which Jest's runtime requires. It does nothing, because these files have no `jest` object. */
  readonly moduleMocker = { clearAllMocks: () => undefined, restoreAllMocks: () => undefined };
  readonly #before: ReadonlyMap<string, unknown>;
  readonly #console = globalThis.console;
  readonly #exit = process.exit;
  readonly #getBuiltinModule = process.getBuiltinModule;

  /** Sets the globals that the configuration of the Jest project defines. */
  constructor({ projectConfig }: { projectConfig: { globals: object } }) {
    Object.assign(globalThis, projectConfig.globals);
    this.#before = readState();
  }

  getVmContext(): object {
    return this.global;
  }

  exportConditions(): readonly string[] {
    return ['node', 'node-addons'];
  }

  /**
   * Loads Node's fetch before the file can import the package undici. Otherwise that package would handle the
   * requests of fetch.
   */
  async setup(): Promise<void> {
    await fetch('data:,');
  }

  async teardown(): Promise<void> {
    // Jest has replaced the console for this file.
    globalThis.console = this.#console;
    process.exit = this.#exit;
    process.getBuiltinModule = this.#getBuiltinModule;
    const changed = differences(this.#before, readState());
    if (changed.length > 0)
      throw new Error(`this file leaves these modified for other files: ${changed.join(', ')}`);
  }
}
