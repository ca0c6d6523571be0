import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { run } from '../../testkit/packages/npm.js';
import {
  type ExportTarget,
  manifestOf,
  PACKAGES,
  tarballOf,
  tarballPath,
} from '../../testkit/packages/tarballs.js';
import { readText, root } from '../../testkit/repository/repository.js';
import { formatPackageSboms } from '../../tools/release/sbom.js';

const bin = (name: string) => join(root, 'node_modules/.bin', name);

/** Every file in `exports`, under any condition. */
function filesOf(target: ExportTarget): string[] {
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(filesOf);
}

const version = (JSON.parse(readText('protocol/package.json')) as { version: string }).version;

describe.each(PACKAGES)('%s', directory => {
  const manifest = manifestOf(directory);
  const paths = tarballOf(directory).files.map(({ path }) => path);

  test('has the metadata that a registry shows', () => {
    expect(manifest.version).toBe(version);
    expect(manifest.repository).toMatchObject({ type: 'git', directory });
    expect(manifest.keywords.length).toBeGreaterThan(2);
    expect(manifest.description).toMatch(/\.$/);
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']));
    expect(readText(`${directory}/LICENSE`)).toBe(readText('LICENSE'));
  });

  test('requires our other packages in the version that is published together with it', () => {
    const own = Object.entries(manifest.dependencies ?? {}).filter(([name]) =>
      name.startsWith('@zbc-signer/'),
    );
    expect(own.filter(([, wanted]) => wanted !== version)).toEqual([]);
  });

  test('contains no tests and no files of the build', () => {
    expect(paths.filter(path => /(^|\/)test|tsbuildinfo|tsconfig|\.test\./.test(path))).toEqual([]);
  });

  test('contains every file that its exports, its commands and its sideEffects name', () => {
    const targets = filesOf(manifest.exports);
    const effects = Array.isArray(manifest.sideEffects) ? manifest.sideEffects : [];
    const named = [...targets, ...effects, ...Object.values(manifest.bin ?? {})].map(normalize);
    const isThere = (name: string) =>
      name.includes('*') ? paths.some(path => path.startsWith(name.split('*')[0]!)) : paths.includes(name);
    expect(named.filter(name => !isThere(name))).toEqual([]);
  });

  test('contains the sources of all its source maps', () => {
    const maps = paths.filter(path => path.endsWith('.map'));
    const sources = maps.flatMap(path => {
      const map = JSON.parse(readText(join(directory, path))) as { sources: string[] };
      return map.sources.map(source => join(dirname(path), source));
    });
    expect(sources.filter(source => !paths.includes(source))).toEqual([]);
    const withoutMap = paths.filter(path => path.endsWith('.d.ts') && !paths.includes(`${path}.map`));
    expect(withoutMap.filter(path => path.startsWith('dist/'))).toEqual([]);
  });

  test('has no link to a source map that it does not contain', () => {
    const scripts = paths.filter(path => /\.[cm]?js$/.test(path));
    const links = scripts.flatMap(path => {
      const link = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(readText(join(directory, path)));
      return link === null ? [] : [join(dirname(path), link[1]!)];
    });
    expect(links.filter(link => !paths.includes(link))).toEqual([]);
  });

  test('is accepted by publint', () => {
    const { status, stdout } = run(bin('publint'), ['run', tarballPath(directory), '--strict'], root);
    expect([status, stdout]).toEqual([0, expect.stringContaining('All good!')]);
  });

  test('resolves with its types in every tool that supports ES modules', () => {
    // The firmware is data without types.
    const words = [tarballPath(directory), '--profile', 'esm-only', '--exclude-entrypoints', 'firmware.wasm'];
    const { status, stdout } = run(bin('attw'), words, root);
    expect([status, status === 0 ? '' : stdout]).toEqual([0, '']);
  });
});

describe('the packed packages', () => {
  test('the emulator contains the licences of the third-party code in its modules and scripts', () => {
    expect(tarballOf('emulator').files.map(({ path }) => path)).toContain('dist/THIRD-PARTY-LICENSES');
    const text = readText('emulator/dist/THIRD-PARTY-LICENSES');
    for (const name of ['@noble/hashes', '@scure/bip39', 'assemblyscript', 'galmuri', 'leven'])
      expect(text).toMatch(new RegExp(`^${name} \\S+ \\(`, 'm'));
    expect(text).toContain('SIL OPEN FONT LICENSE');
  });

  test('the bundle contains the licences of the font and of the dependencies of its packages', () => {
    const text = readText('cli/dist/bundle/THIRD-PARTY-LICENSES');
    const listed = [...text.matchAll(/^-{80}\n(\S+) \S+ \(.+\)\n\n.+/gm)].map(match => match[1]!);
    const needed = PACKAGES.map(manifestOf).flatMap(({ dependencies = {} }) => Object.keys(dependencies));
    const native = ['lmdb'];
    const bundled = needed.filter(name => !name.startsWith('@zbc-signer/') && !native.includes(name));
    expect(listed).toEqual(expect.arrayContaining([...new Set(bundled), 'galmuri', 'yargs', 'ora', 'pino']));
    const sources = { sha256: '', files: {} };
    const release = {
      format: 'zbc-signer-release-1' as const,
      version,
      commit: null,
      sources,
      toolchain: [],
    };
    const sbom = formatPackageSboms(root, release).get('sbom-cli.cdx.json')!;
    const components: string[] = JSON.parse(sbom).components.map(({ name }: { name: string }) => name);
    expect(components).toEqual(
      expect.arrayContaining(listed.filter(name => !/^(?:assemblyscript|galmuri)$/.test(name))),
    );
    expect(listed.filter(name => native.includes(name) || name.startsWith('@zbc-signer/'))).toEqual([]);
  });

  test.each([
    ['cli', 'bin/zbc-signer.js'],
    ['emulator', 'bin/zbc-speculos.js'],
  ] as const)('the command of %s is executable', (directory, script) => {
    const command = tarballOf(directory).files.find(({ path }) => path === script)!;
    expect(command.mode & 0o111).toBe(0o111);
    expect(readFileSync(join(root, directory, script), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});
