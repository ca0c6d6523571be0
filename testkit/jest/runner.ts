// Runs a test file for Jest. By default, Jest evaluates all imports of a file, and some of its own modules,
// again for each file. With this runner, Node imports them once for all files of a worker.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import SharedEnvironment from './environment.js';

interface Runtime {
  requireInternalModule(path: string): unknown;
  unstable_importModule(path: string): Promise<unknown>;
}
type RunTestFile = (
  globalConfig: unknown,
  config: unknown,
  environment: object,
  runtime: Runtime,
  testPath: string,
  sendMessageToJest: unknown,
) => Promise<unknown>;

const require = createRequire(import.meta.url);
const { default: runWithCircus }: { default: RunTestFile } = require('jest-circus/runner');
const asyncHooks: { AsyncLocalStorage: new () => { disable(): void } } = require('node:async_hooks');
/** Symbols under which Circus keeps the tests of a file. */
const CIRCUS_GLOBALS = new Set<string | undefined>(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS']);

/**
 * Whether the class AsyncLocalStorage can be replaced. Since Node 24, the class is a getter and cannot be
 * replaced. In these versions no replacement is necessary, because storages add no cost to promises.
 */
const canReplaceStorage = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage')?.writable === true;

/** Loads a new instance of Circus for the tests of one file. */
function loadCircus(path: string): { circus: unknown; dispose: () => void } {
  const { AsyncLocalStorage } = asyncHooks;
  const storages: { disable(): void }[] = [];
  if (canReplaceStorage) {
    asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
      constructor() {
        super();
        storages.push(this);
      }
    };
  }
  try {
    delete require.cache[path];
    return { circus: require(path), dispose };
  } finally {
    if (canReplaceStorage) asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }

  /**
   * Disables the storages of this instance, because each storage in use adds work to every promise of the
   * process.
   */
  function dispose(): void {
    for (const storage of storages) storage.disable();
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (CIRCUS_GLOBALS.has(symbol.description)) Reflect.deleteProperty(globalThis, symbol);
  }
}

/**
 * URLs of imported test files and setup files. They are evaluated again for each file and project that needs
 * them.
 */
const imported = new Set<string>();
let importsAgain = 0;

const runTestFile: RunTestFile = async (globalConfig, config, environment, runtime, testPath, send) => {
  if (!(environment instanceof SharedEnvironment))
    return runWithCircus(globalConfig, config, environment, runtime, testPath, send);
  let dispose = (): void => undefined;
  runtime.requireInternalModule = path => {
    const loaded = loadCircus(path);
    dispose = loaded.dispose;
    return loaded.circus;
  };
  runtime.unstable_importModule = path => {
    const { href } = pathToFileURL(path);
    const isAgain = imported.has(href);
    imported.add(href);
    return import(isAgain ? `${href}?${importsAgain++}` : href);
  };
  try {
    return await runWithCircus(globalConfig, config, environment, runtime, testPath, send);
  } finally {
    dispose();
  }
};

export default runTestFile;
