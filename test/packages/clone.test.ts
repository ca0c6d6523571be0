import { cpSync, mkdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npm, run } from '../../testkit/packages/npm.js';
import { PACKAGES, type Tarball, tarballOf } from '../../testkit/packages/tarballs.js';
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

test('npm pack makes the same bytes from any build', () => {
  expect(run('make', ['--silent', 'build'], clone).status).toBe(0);
  const packed = npm(['pack', '--json', '--workspaces'], clone);
  const all = JSON.parse(packed.slice(packed.indexOf('['))) as Tarball[];
  expect(all.map(({ integrity }) => integrity)).toEqual(PACKAGES.map(name => tarballOf(name).integrity));
});
