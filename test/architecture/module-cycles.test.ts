import { packages } from '../../testkit/repository.js';
import { importsUnder } from './imports.js';

/** Where each part of the repository has its modules: the directories and the files directly in it. */
const PARTS = [
  'firmware/assembly',
  ...packages.map(directory => `${directory}/src`),
  'tools',
  'testkit',
  'prove',
];

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
