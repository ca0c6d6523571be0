import { cpSync, mkdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npm, run } from '../../testkit/packages/npm.js';
import { manifestOf, PACKAGES, type Tarball, tarballOf } from '../../testkit/packages/tarballs.js';
import { openTestDirectory } from '../../testkit/process/temporary-directory.js';
import { root } from '../../testkit/repository/repository.js';

const clone = openTestDirectory();

/** Prepares a clone as after `npm ci`. */
beforeAll(() => {
  const { stdout } = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], root);
  for (const path of stdout.split('\0').filter(name => name !== '')) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(join(root, path), join(clone, path), { force: true });
  }
  run('cp', ['-a', 'node_modules', clone], root);
  // The file must not be older than the lock file, or make would install again.
  utimesSync(join(clone, 'node_modules/.package-lock.json'), new Date(), new Date());
});

/** Packs packages of the clone; returns npm's report. */
function pack(...words: string[]): Tarball[] {
  const stdout = npm(['pack', '--json', ...words], clone);
  return JSON.parse(stdout.slice(stdout.indexOf('['))) as Tarball[];
}

test('npm pack builds first, and makes the same bytes as any other build', () => {
  const [first] = pack('--workspace', 'cli');
  expect(first!.integrity).toBe(tarballOf('cli').integrity);
  // The build ran once, because the scripts of all packages begin with the same build.
  const scripts = PACKAGES.map(name => manifestOf(name).scripts.prepack);
  expect(scripts).toEqual(PACKAGES.map(() => expect.stringMatching(/^make --silent -C \.\. build/)));
  const all = pack('--workspaces', '--ignore-scripts');
  expect(all.map(({ integrity }) => integrity)).toEqual(PACKAGES.map(name => tarballOf(name).integrity));
});
