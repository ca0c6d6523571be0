import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../testkit/repository/repository.js';
import { listMutations, type Mutation, type Mutations } from '../mutation.js';

/** The faults of one part of the repository. */
export interface Module {
  name: string;
  /** The heading of a document that promises the behaviour which the faults break. */
  guards: string;
  /** Overrides for single files or faults, by name. */
  guardsBy?: Readonly<Record<string, string>>;
  directory: string;
  /**
   * For tests that `make test` does not run: the command that runs them, and why it is enough that this command
   * notices the faults.
   */
  elsewhere?: string;
  /** Tests that should detect the faults: paths under test/ without `.test.ts`. */
  tests: readonly string[];
  /** Overrides of the tests by file. Without an override, a file's own test is used, if there is one. */
  testsBy?: Readonly<Record<string, readonly string[]>>;
  /** Faults in files of the directory. Some of them name other tests than the tests of their file. */
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
    tests: more.length > 0 ? more : (testsBy[file] ?? ownTest(directory, file) ?? tests),
  }));
}

/** The test of a source file has the same path, without the directory of all sources. */
function ownTest(directory: string, file: string): string[] | undefined {
  const own = `${directory}/${file}`.replace(/\/(src|assembly|page)\//, '/').replace(/\.ts$/, '');
  return existsSync(join(root, `test/${own}.test.ts`)) ? [own] : undefined;
}
