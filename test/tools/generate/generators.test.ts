import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packages, root } from '../../../testkit/repository/repository.js';
import * as generators from '../../../tools/generate/generators.js';

test('every file in a directory of generated files has a generator', () => {
  const generated = ['firmware', ...packages]
    .flatMap(directory =>
      readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' }).map(name =>
        join(directory, name),
      ),
    )
    .filter(name => !/\/(dist|node_modules)\//.test(name))
    .filter(name => /\/generated\/[^/]+$/.test(name));
  expect(generated.length).toBeGreaterThan(0);
  expect(generated.filter(name => !Object.values(generators).some(({ path }) => path === name))).toEqual([]);
});
