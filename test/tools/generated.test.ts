import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generators } from '../../tools/generate/generators.js';
import { root } from '../support/repository.js';

const SOURCES = ['chain', 'emulator', 'firmware', 'gateway', 'host', 'protocol'];

test.each(generators.map(({ path, content }) => [path, content] as const))(
  '%s is what is generated',
  (path, content) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(content());
  },
);

test('every file in a folder of generated ones has its generator', () => {
  const files = SOURCES.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  );
  const generated = files.filter(name => /\/generated\/[^/]+$/.test(name));
  expect(generated.length).toBeGreaterThan(0);
  expect(generated.filter(name => !generators.some(({ path }) => path === name))).toEqual([]);
});
