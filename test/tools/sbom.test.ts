import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestDirectory } from '../../testkit/process/temporary-directory.js';
import { root } from '../../testkit/repository/repository.js';
import { collectDebianLicences } from '../../tools/bundle/bundle-licences.js';
import { formatPackageSboms } from '../../tools/release/sbom.js';

const directory = openTestDirectory();
const release = {
  format: 'zbc-signer-release-1' as const,
  version: '1.0.0',
  commit: null,
  sources: { sha256: '', files: {} },
  toolchain: [],
};
const sboms = formatPackageSboms(root, release);
const componentsOf = (name: string): string[] =>
  JSON.parse(sboms.get(`sbom-${name}.cdx.json`)!).components.map(
    (component: { name: string; version: string }) => `${component.name} ${component.version}`,
  );

test('the command line lists what its files contain, and its native modules', () => {
  const needed = [
    '@noble/ed25519',
    '@scure/bip39',
    'cliui',
    'fastify',
    'find-my-way',
    'lmdb',
    'ora',
    'usb',
    'yargs',
  ];
  const names = componentsOf('cli').map(name => name.replace(/ .*/, ''));
  expect(names).toEqual(expect.arrayContaining(needed));
  expect(componentsOf('wallet').join()).toContain('lean-qr ');
});

test('a package lists the dependencies of its dependencies, and none for development', () => {
  const gateway = componentsOf('gateway').map(name => name.replace(/ .*/, ''));
  const needed = ['@zbc-signer/chain', '@noble/hashes', 'fastify', 'find-my-way', 'undici', 'thread-stream'];
  expect(gateway).toEqual(expect.arrayContaining(needed));
  for (const name of ['jest', 'typescript', 'lmdb', '@zbc-signer/gateway'])
    expect(gateway).not.toContain(name);
  expect([...sboms.keys()].filter(name => /-(?:protocol|connect|image)\./.test(name))).toEqual([]);
});

test('a release lacks no licence of a library in its images', () => {
  mkdirSync(join(directory, 'libc'));
  writeFileSync(join(directory, 'libc/copyright'), 'the terms of libc');
  expect(collectDebianLicences(['libc'], directory)).toContain('\n\nthe terms of libc\n');
  expect(() => collectDebianLicences(['libc', 'gone'], directory)).toThrow('gone/copyright is missing');
});
