import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packages, root } from '../../../testkit/repository/repository.js';
import { generators } from '../../../tools/generate/generators.js';

test.each(generators.map(({ path, content }) => [path, content] as const))(
  '%s is what is generated',
  (path, content) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(content());
  },
);

test('every file in a directory of generated ones has its generator', () => {
  const generated = ['firmware', ...packages]
    .flatMap(directory =>
      readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' }).map(name =>
        join(directory, name),
      ),
    )
    .filter(name => !/\/(dist|node_modules)\//.test(name))
    .filter(name => /\/generated\/[^/]+$/.test(name));
  expect(generated.length).toBeGreaterThan(0);
  expect(generated.filter(name => !generators.some(({ path }) => path === name))).toEqual([]);
});
