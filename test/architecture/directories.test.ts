import { importsUnder, isUnder, strangers } from './imports.js';

/** Directories outside the packages, each with those that it may import. */
const DIRECTORIES = new Map([
  ['tools', []],
  ['testkit', []],
  ['prove', ['testkit', 'tools']],
  ['bench', ['testkit', 'tools']],
]);

/** Code that may import the insides of packages, besides the tests of each package. */
const REACH_INSIDE = ['testkit', 'prove', 'test/prove', 'test/stress'];

/** Directories of tests that may import from other directories than `testkit` and `tools`. */
const IMPORTED = new Map([
  ['prove', 'prove'],
  ['bench', 'bench'],
]);

test.each([...DIRECTORIES])('%s imports only its own files and those of %p', (directory, others) => {
  expect(strangers(directory, ({ path }) => path === '' || isUnder(path, directory, ...others))).toEqual([]);
});

test.each(['tools', 'bench'])('%s imports packages by name', directory => {
  expect(strangers(directory, ({ name }) => !name.startsWith('#'))).toEqual([]);
});

/** The directory directly under test/ that a file is in; '' for a file there. */
const areaOf = (path: string) => /^test\/(?:([^/]+)\/)?/.exec(path)?.[1] ?? '';

test('no directory of tests imports from another directory of tests', () => {
  const others = (file: string) => ['testkit', 'tools', IMPORTED.get(areaOf(file)) ?? 'testkit'];
  const isAllowed = ({ file, path }: { file: string; path: string }) =>
    path === '' || (isUnder(path, 'test') && areaOf(path) === areaOf(file)) || isUnder(path, ...others(file));
  expect(strangers('test', isAllowed)).toEqual([]);
});

test('only its own tests, those under stress, testkit and the proofs import the internal modules of a package', () => {
  const isOwn = (file: string, name: string) => isUnder(file, `test/${name}`, `test/qa/${name}`);
  const inside = importsUnder('test').filter(({ name }) => name.startsWith('#'));
  const foreign = inside.filter(({ file, name }) => !isOwn(file, /^#([^/]+)/.exec(name)![1]!));
  expect(
    foreign
      .filter(({ file }) => !isUnder(file, ...REACH_INSIDE))
      .map(({ file, name }) => `${file} imports ${name}`),
  ).toEqual([]);
});
