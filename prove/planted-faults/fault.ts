/**
 * A mutation: in `file`, relative to its module's directory, `find`, which occurs exactly once, becomes
 * `replace`.
 */
interface Fault {
  /** What the mutated program does wrong, as a sentence without its subject. */
  name: string;
  /** Instead of its file's or the module's. */
  guards?: string;
  file: string;
  find: string;
  replace: string;
  /** Instead of the module's. */
  tests?: readonly string[];
}

/**
 * The faults of one part of the repository; `tests` should catch them: paths under test/ without `.test.ts`.
 */
export interface Module {
  name: string;
  /** The heading under which a document promises what the fault breaks. */
  guards: string;
  /** Instead of the module's, for all faults of a file. */
  guardsByFile?: Readonly<Record<string, string>>;
  directory: string;
  tests: readonly string[];
  faults: readonly Fault[];
}

/** A fault with its module's settings; `path` is relative to the repository's root. */
export interface PlantedFault {
  module: string;
  name: string;
  guards: string;
  path: string;
  find: string;
  replace: string;
  tests: readonly string[];
}

export function faultsOf(module: Module): PlantedFault[] {
  const { name, guards, guardsByFile = {}, directory, tests, faults } = module;
  return faults.map(({ file, ...fault }) => ({
    module: name,
    guards: guardsByFile[file] ?? guards,
    path: `${directory}/${file}`,
    tests,
    ...fault,
  }));
}

/**
 * The source with the fault in it; throws an Error unless `find` occurs exactly once and differs from
 * `replace`.
 */
export function plant(
  source: string,
  { path, find, replace }: Pick<PlantedFault, 'path' | 'find' | 'replace'>,
): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${path} contains ${parts.length - 1} times, not once: ${find}`);
  if (find === replace) throw new Error(`${path} would not change: ${find}`);
  return parts.join(replace);
}
