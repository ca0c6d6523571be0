import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FIRMWARE_VERSION } from '@zbc-signer/protocol/commands';
import { root } from '../../testkit/repository/repository.js';
import { MODULES, recordRelease, refuseOtherBytes, refuseVersion } from '../../tools/release/releases.js';
import { commitOf, refuseChanges } from '../../tools/release/sources.js';

const SOURCE = 'firmware/boards/board.c';
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'release-commit-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function git(...words: string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...who, ...words], { cwd: directory, encoding: 'utf8' }).trim();
}

function write(path: string, text: string): void {
  mkdirSync(join(directory, dirname(path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}

function commit(): string {
  git('init', '--quiet');
  for (const path of [SOURCE, 'Makefile']) write(path, 'first');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  return git('rev-parse', 'HEAD');
}

test('a release names its commit even if there are keys and the output of an earlier release', () => {
  const head = commit();
  for (const path of ['restored.pem', 'out/manifest.json']) write(path, 'anything');
  expect(commitOf(directory)).toBe(head);
  refuseChanges(directory);
});

test.each([SOURCE, 'Makefile', 'firmware/boards/added.c'])(
  'a release names no commit if %s changed',
  path => {
    commit();
    write(path, 'second');
    expect(commitOf(directory)).toBeNull();
    expect(() => refuseChanges(directory)).toThrow('differ from the commit');
  },
);

test('a release outside of a repository names no commit', () => {
  expect(commitOf(directory)).toBeNull();
  refuseChanges(directory);
});

describe('a version names one firmware', () => {
  const build = (bytes: string) => {
    for (const name of MODULES) write(`dist/firmware/${name}`, `${name} ${bytes}`);
  };

  test('a second release with other bytes needs another version and its tag', () => {
    write('firmware/releases.json', '{}\n');
    commit();
    build('first');
    expect(() => refuseVersion(directory, '1.0.0')).toThrow('no tag v1.0.0');
    git('tag', 'v1.0.0');
    refuseVersion(directory, '1.0.0');
    recordRelease(directory, '1.0.0');
    refuseOtherBytes(directory, '1.0.0');
    build('second');
    expect(() => refuseOtherBytes(directory, '1.0.0')).toThrow(
      'zbc-signer.wasm differs from that of release',
    );
    expect(() => refuseVersion(directory, '1.0.0')).toThrow('already released');
    git('tag', 'v1.0.1');
    refuseVersion(directory, '1.0.1');
    recordRelease(directory, '1.0.1');
    refuseOtherBytes(directory, '1.0.1');
    expect(() => refuseOtherBytes(directory, '1.0.0')).toThrow('differs');
  });

  test('the modules of this build do not have the version of a release with other bytes', () => {
    refuseOtherBytes(root, FIRMWARE_VERSION);
  });
});
