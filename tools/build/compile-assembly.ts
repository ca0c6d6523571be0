import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';
import { inspectWasm } from './inspect-wasm.js';

const CONFIG_NAME = 'asconfig.json';
const CONFIG_FILE = fileURLToPath(new URL(`../../../${CONFIG_NAME}`, import.meta.url));
const OUTPUT = ['--outFile', 'module.wasm', '--textFile', 'module.wat'];

interface Config {
  entries: string[];
  /** A target's `entry` replaces `entries`, which are the entries of the shipped module. */
  targets: Record<string, { entry?: string; outFile?: string }>;
}

export interface CompiledModule {
  wasm: Uint8Array;
  /** The same module as text, with the names of its functions. */
  text: string;
  /** The address after the last byte of constants, buffers and scratch. */
  staticSize: number;
  /** Functions of AssemblyScript's allocator that the module contains. */
  allocatorFunctions: string[];
}

/** Examines the module before the optimiser removes segments of zeros. */
class Survey {
  staticSize = 0;
  allocatorFunctions: string[] = [];

  afterCompile(module: { emitBinary(): Uint8Array; emitText(): string }): void {
    this.staticSize = inspectWasm(module.emitBinary()).dataEnd;
    const functions = module.emitText().matchAll(/\(func \$(~lib\/rt\/(?!common\/)[^\s)]+)/g);
    this.allocatorFunctions = [...functions].map(([, name]) => name!);
  }
}

async function readConfig(): Promise<Config> {
  return JSON.parse(await readFile(CONFIG_FILE, 'utf8')) as Config;
}

/**
 * Returns the output file of a target in asconfig.json, as a path from the root; throws a RangeError for an
 * unknown target.
 */
export async function outputFile(target: string): Promise<string> {
  const path = (await readConfig()).targets[target]?.outFile;
  if (path === undefined) throw new RangeError(`asconfig.json: target ${target} has no outFile`);
  return path;
}

/**
 * Returns the compiler's configuration with the entry of only one target, because the compiler would combine
 * the entries of all targets.
 */
async function configOf(target: string): Promise<string> {
  const config = await readConfig();
  const found = config.targets[target];
  if (!found) throw new RangeError(`asconfig.json has no target ${target}`);
  return JSON.stringify({ ...config, entries: found.entry ? [found.entry] : config.entries });
}

/** Returns the text of a source file, or null if the file does not exist, as the compiler expects. */
function readSource(name: string, directory: string): Promise<string | null> {
  return readFile(resolve(directory, name), 'utf8').catch(() => null);
}

/**
 * Compiles a target of asconfig.json from the sources under `root`; throws an Error with the compiler's
 * messages. `withNames` adds the names of the functions to the module, and changes nothing else in it.
 */
export async function compileAssembly(
  root: string,
  target: string,
  withNames = false,
): Promise<CompiledModule> {
  const config = await configOf(target);
  const names = withNames ? ['--debug'] : [];
  const survey = new Survey();
  let wasm: Uint8Array | undefined;
  let text = '';
  const { error, stderr } = await main(
    ['--target', target, '--baseDir', resolve(root), ...OUTPUT, ...names],
    {
      transforms: [survey as never], // The type also requires members that the compiler itself adds.
      readFile: async (name, directory) =>
        name === CONFIG_NAME ? config : await readSource(name, directory),
      writeFile: (name, contents) => {
        if (name === 'module.wat') text = contents as string;
        if (name === 'module.wasm') wasm = contents as Uint8Array;
      },
    },
  );
  if (error || !wasm) throw new Error(`target ${target} does not compile\n${stderr.toString()}`);
  const { staticSize, allocatorFunctions } = survey;
  return { wasm, text, staticSize, allocatorFunctions };
}
