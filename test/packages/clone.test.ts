import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { npm, run } from '../../testkit/packages/npm.js';
import { PACKAGES, type Tarball, tarballOf } from '../../testkit/packages/tarballs.js';
import { root } from '../../testkit/repository/repository.js';

let clone: string;

/** The sources alone, as a fresh clone has them. */
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'clone-'));
  const { stdout } = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], root);
  for (const path of stdout.split('\0').filter(name => name !== '')) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(join(root, path), join(clone, path), { force: true });
  }
});
afterAll(() => rmSync(clone, { recursive: true }));

test.each(PACKAGES)('npm pack of %s builds first, and makes the same bytes as any other build', name => {
  const stdout = npm(['pack', '--json'], join(clone, name));
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [Tarball];
  expect(packed.integrity).toBe(tarballOf(name).integrity);
});
