import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { packages, readText, root } from '../testkit/repository/repository.js';

/** Where the compilers write. */
export const outputDirectories = ['dist', ...packages.map(directory => `${directory}/dist`)];

/**
 * Gives a copy of the repository its dependencies: those of the original, but the packages of the copy
 * itself.
 */
export function linkDependencies(copy: string): void {
  const directory = join(copy, 'node_modules');
  mkdirSync(join(directory, '@zbc-signer'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!/^@?zbc-signer$/.test(name)) symlinkSync(join(root, 'node_modules', name), join(directory, name));
  }
  for (const name of packages) {
    const { name: installed } = JSON.parse(readText(`${name}/package.json`)) as { name: string };
    symlinkSync(join(copy, name), join(directory, installed));
    const own = join(root, name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(copy, name, 'node_modules'));
  }
}
