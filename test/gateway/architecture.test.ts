import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../testkit/repository/repository.js';

const SOURCES = join(root, 'gateway/src');

/**
 * Directories and top-level files, from the lowest layer up. Each may import itself and those before it in
 * the list.
 */
const ORDER = [
  'base',
  'config',
  'http',
  'allowlist',
  'upstream',
  'nodes',
  'pages',
  'openapi',
  'cache',
  'monitoring',
  'limits',
  'files',
  'proxy',
  'push',
  'gateway-context.ts',
  'routes',
  'app.ts',
  'generation.ts',
  'gateway.ts',
  'server.ts',
  'index.ts',
];

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(name =>
  name.endsWith('.ts'),
);

const levelOf = (file: string) => ORDER.indexOf(file.split('/')[0]!);

/**
 * Returns the relative imports of a file, of values and types, static and dynamic, as paths below the
 * sources.
 */
function importsOf(file: string): string[] {
  const source = readFileSync(join(SOURCES, file), 'utf8');
  const specifiers = [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g)];
  return specifiers.map(([, specifier]) => `${join(dirname(file), specifier!)}.ts`);
}

test('every directory and top-level file has a place in the order of layers', () => {
  expect([...new Set(sources.map(file => file.split('/')[0]))].sort()).toEqual([...ORDER].sort());
});

test('no file imports a file of a higher layer', () => {
  const imports = sources.flatMap(file => importsOf(file).map(imported => ({ file, imported })));
  expect(imports.length).toBeGreaterThan(sources.length);
  const upward = imports.filter(({ file, imported }) => levelOf(imported) > levelOf(file));
  expect(upward).toEqual([]);
});

test('no import leads out of the package', () => {
  const strangers = sources.flatMap(file => importsOf(file).filter(imported => levelOf(imported) < 0));
  expect(strangers).toEqual([]);
});

test('no files import each other, directly or indirectly', () => {
  const visited = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]) => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
    if (visited.has(file)) return;
    visited.add(file);
    for (const imported of importsOf(file)) visit(imported, [...trail, file]);
  };
  for (const file of sources) visit(file, []);
  expect(cycles).toEqual([]);
});
