import { listMutations, type Mutation, type Mutations } from '../mutation.js';

/** The faults of one part of the repository. */
export interface Module {
  name: string;
  /** The heading under which a document promises what the fault breaks. */
  guards: string;
  /** Instead of the module's, by file or by the fault's name. */
  guardsBy?: Readonly<Record<string, string>>;
  directory: string;
  /** What should catch the faults: paths under test/ without `.test.ts`. */
  tests: readonly string[];
  /** Instead of the module's, by file. */
  testsBy?: Readonly<Record<string, readonly string[]>>;
  /** Of files of the directory; behind some the tests instead of the file's. */
  faults: Mutations;
}

/** A fault with its module's settings; `path` is relative to the repository's root. */
export interface PlantedFault extends Pick<Mutation, 'name' | 'find' | 'replace'> {
  module: string;
  guards: string;
  path: string;
  tests: readonly string[];
}

export function faultsOf(module: Module): PlantedFault[] {
  const { guards, guardsBy = {}, directory, tests, testsBy = {}, faults } = module;
  return listMutations(faults).map(({ file, name, find, replace, more }) => ({
    module: module.name,
    name,
    guards: guardsBy[name] ?? guardsBy[file] ?? guards,
    path: `${directory}/${file}`,
    find,
    replace,
    tests: more.length > 0 ? more : (testsBy[file] ?? tests),
  }));
}
