import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packages, root } from '../../testkit/repository/repository.js';
import { importsUnder } from './imports.js';

const directoriesIn = (directory: string) =>
  readdirSync(join(root, directory), { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => join(directory, name));

/** The directory and its descendants that have subdirectories. */
function partsOf(directory: string): string[] {
  const directories = directoriesIn(directory);
  return directories.length === 0 ? [] : [directory, ...directories.flatMap(partsOf)];
}

/** In each of these, the directories and the files directly inside are ordered. */
const PARTS = [
  'firmware/assembly',
  ...packages.map(directory => `${directory}/src`),
  'tools',
  'testkit',
  'prove',
].flatMap(partsOf);

/** The modules that each module imports from. */
function modulesOf(part: string): Map<string, Set<string>> {
  const module = (path: string) => path.slice(part.length + 1).replace(/(?:\/.*|\.[jt]s)$/, '');
  const modules = new Map<string, Set<string>>();
  for (const { file, path } of importsUnder(part)) {
    if (!path.startsWith(`${part}/`) || module(path) === module(file)) continue;
    const imported = modules.get(module(file)) ?? new Set();
    modules.set(module(file), imported.add(module(path)));
  }
  return modules;
}

/** The modules of cycles: those left after repeatedly removing modules without imports or importers. */
function cycles(part: string): string[] {
  const modules = modulesOf(part);
  for (;;) {
    const imported = new Set([...modules.values()].flatMap(names => [...names]));
    const isEnd = (name: string) => ![...modules.get(name)!].some(other => modules.has(other));
    const ends = [...modules.keys()].filter(name => isEnd(name) || !imported.has(name));
    if (ends.length === 0) return [...modules.keys()];
    for (const name of ends) modules.delete(name);
  }
}

test.each(PARTS)('no modules of %s import each other, directly or indirectly', part => {
  expect(cycles(part)).toEqual([]);
});
