import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { developmentKey, developmentPublicKey } from '@zbc-signer/image';
import { openTestDirectory } from '../../testkit/process/temporary-directory.js';
import { root } from '../../testkit/repository/repository.js';
import { readReleaseKey } from '../../tools/image/key-files.js';

const directory = openTestDirectory();
const at = (name: string) => join(directory, name);
const [own, next] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];

beforeAll(() => {
  const privateKeys = { 'own.pem': own.privateKey, 'dev.pem': developmentKey() };
  const publicKeys = {
    'own.pub': own.publicKey,
    'next.pub': next.publicKey,
    'dev.pub': developmentPublicKey(),
  };
  for (const [name, key] of Object.entries(privateKeys))
    writeFileSync(at(name), key.export({ type: 'pkcs8', format: 'pem' }));
  for (const [name, key] of Object.entries(publicKeys))
    writeFileSync(at(name), key.export({ type: 'spki', format: 'pem' }));
  writeFileSync(at('none.pem'), 'no key');
});

function run(tool: string, ...words: string[]) {
  const tools = join(root, 'dist/tools', tool);
  const { status, stderr } = spawnSync(process.execPath, [tools, ...words], {
    cwd: directory,
    encoding: 'utf8',
  });
  return [status, stderr.trim()];
}
const writeKeys = (...words: string[]) => run('image/loader-keys.js', at('keys.c'), ...words);
const checkKey = (...words: string[]) => run('release/check-key.js', ...words);

test('a loader accepts the keys that are named, which include the key of the release', () => {
  expect(writeKeys('own.pem', 'own.pub', 'next.pub')).toEqual([0, '']);
  expect(readFileSync(at('keys.c'), 'utf8')).toContain('loader_key_count = 2;');
  const written = statSync(at('keys.c')).mtimeMs;
  expect(readReleaseKey(at('own.pem'), [at('own.pub'), at('next.pub')])).toBeDefined();
  expect(writeKeys('own.pem', 'own.pub', 'next.pub')).toEqual([0, '']);
  expect(statSync(at('keys.c')).mtimeMs).toBe(written);
});

test.each<[string, string[], string]>([
  [
    'the development key alongside the key of the release',
    ['own.pem', 'own.pub', 'dev.pub'],
    'images that anyone can sign',
  ],
  [
    'a list of keys without the key of the release',
    ['own.pem', 'next.pub'],
    'KEYS lacks the public key of own.pem',
  ],
  ['a list of keys without a key to sign with', ['', 'own.pub'], 'KEYS is given without KEY'],
  ['a build that signs nothing and names no key', ['-'], 'KEYS is missing'],
  ['the development key in a build that signs nothing', ['-', 'dev.pub'], 'images that anyone can sign'],
  ['a file that is not a key', ['none.pem'], 'none.pem: the key is not a private Ed25519 key'],
  ['a missing key file', ['missing.pem'], 'cannot read missing.pem: ENOENT'],
])('%s is refused in one line, and nothing is written', (_, words, message) => {
  rmSync(at('keys.c'), { force: true });
  const [status, stderr] = writeKeys(...words);
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(String(stderr).split('\n')).toHaveLength(1);
  expect(existsSync(at('keys.c'))).toBe(false);
});

test('a builder without the key of the release builds a loader with the same keys', () => {
  expect(writeKeys('own.pem', 'own.pub', 'next.pub')).toEqual([0, '']);
  const keys = readFileSync(at('keys.c'), 'utf8');
  rmSync(at('keys.c'));
  expect(writeKeys('-', 'own.pub', 'next.pub')).toEqual([0, '']);
  expect(readFileSync(at('keys.c'), 'utf8')).toBe(keys);
});

test('the development key cannot sign a release', () => {
  expect(checkKey('dev.pem')).toEqual([
    1,
    'the development key, which everyone knows, cannot sign a release',
  ]);
});

const make = (path: string | undefined, ...words: string[]) => {
  const env = { PATH: path ?? process.env.PATH ?? '' };
  const { status, stderr, stdout } = spawnSync('/usr/bin/make', words, { cwd: root, encoding: 'utf8', env });
  return { status, said: stdout + stderr };
};

test.each<[string[], string]>([
  [['-n', 'image', 'BOARD=nope'], 'BOARD=nope is unknown: expected one of '],
  [
    ['-n', 'image', 'BOARD=riscv', 'LOADER=yes'],
    'BOARD=riscv has no loader: with LOADER, expected one of pico',
  ],
  [['-n', 'release'], 'KEY=FILE is missing'],
  [['-n', 'release', 'KEY=/nonexistent'], 'cannot read /nonexistent'],
])('make %j ends before the build', (words, message) => {
  const { status, said } = make(undefined, ...words);
  expect([status, said]).toEqual([2, expect.stringContaining(message)]);
  expect(said).not.toContain('npm run');
});

test('a missing compiler is reported with the command that installs it', () => {
  const { status, said } = make(directory, '-n', '-f', 'firmware/boards/build.mk', 'BOARD=pico');
  expect([status, said]).toEqual([2, expect.stringContaining('arm-none-eabi-gcc is missing;')]);
  expect(said).toContain('make system-deps installs it');
});
