import { packages, readText } from '../../testkit/repository/repository.js';
import { isUnder, strangers } from './imports.js';

/** Each package may import those before it, by name. */
const LAYERS = [
  ['protocol'],
  ['chain'],
  ['host', 'image', 'connect'],
  ['emulator', 'react'],
  ['web'],
  ['wallet'],
  ['gateway'],
  ['devnet'],
  ['cli'],
];

interface Manifest {
  name: string;
  exports: Record<string, unknown>;
  /** Import targets by condition. */
  imports?: Record<string, Record<string, string>>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  files: string[];
}

const manifestOf = (directory: string) => JSON.parse(readText(`${directory}/package.json`)) as Manifest;
const manifests = new Map(packages.map(directory => [directory, manifestOf(directory)]));

/** The name of the imported package, without a path. */
const packageName = (imported: string) => /^(?:@[^/]+\/)?[^/]+/.exec(imported)?.[0] ?? '';

/** Whether a package exports the imported path. */
function isExported({ name, exports }: Manifest, imported: string): boolean {
  const path = `.${imported.slice(name.length)}`;
  return path in exports || ('./*' in exports && /^\.\/[^/]+$/.test(path));
}

const ours = new Set([...manifests.values()].map(({ name }) => name));

test('the layers list every package', () => {
  expect(LAYERS.flat().sort()).toEqual([...packages].sort());
});

describe.each(LAYERS.flatMap((layer, at) => layer.map(directory => [directory, at] as const)))(
  '%s',
  (directory, layer) => {
    const lower = LAYERS.slice(0, layer).flat();
    const manifest = manifests.get(directory)!;
    /** Whether the package has another version of the file for browsers. */
    const isAlias = (name: string) => name in (manifest.imports ?? {});

    test('imports only from itself and our packages in lower layers, and only the modules that they export', () => {
      const isFace = (name: string) =>
        [...lower, directory].some(other => {
          const manifest = manifests.get(other)!;
          return manifest.name === packageName(name) && isExported(manifest, name);
        });
      expect(strangers(directory, ({ name }) => !ours.has(packageName(name)) || isFace(name))).toEqual([]);
    });

    test('imports no file outside its directory', () => {
      const isInside = (path: string) => path === '' || isUnder(path, directory);
      const isHere = (name: string) => !/^[#/]/.test(name) || isAlias(name);
      expect(strangers(directory, ({ name, path }) => isInside(path) && isHere(name))).toEqual([]);
      const files = Object.values(manifest.imports ?? {}).flatMap(file => Object.values(file));
      expect(files.filter(file => !file.startsWith('./dist/'))).toEqual([]);
    });

    test('declares in its package.json every package that it imports', () => {
      const named = {
        ...manifest.dependencies,
        ...manifest.optionalDependencies,
        ...manifest.peerDependencies,
        [manifest.name]: '',
        // Bundled dependencies are not installed.
        ...(manifest.files.includes('dist/bundle') && manifest.devDependencies),
      };
      const isNamed = (name: string) =>
        name.startsWith('node:') || isAlias(name) || packageName(name) in named;
      expect(strangers(directory, ({ name, path }) => path !== '' || isNamed(name))).toEqual([]);
    });
  },
);
