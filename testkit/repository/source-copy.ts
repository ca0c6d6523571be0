import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packages, readText, root } from './repository.js';

/** Output directories of the compilers. */
export const outputDirectories = ['dist', ...packages.map(directory => `${directory}/dist`)];

/**
 * Copies the current sources of the repository, including uncommitted changes, and links its installed
 * packages.
 */
export function copySources(directory: string): void {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  for (const path of execFileSync('git', listing, { cwd: root, encoding: 'utf8' }).split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    cpSync(join(root, path), join(directory, path));
  }
  linkDependencies(directory);
}

/**
 * Links the installed dependencies of the original into a copy, except for the packages of the repository
 * itself.
 */
function linkDependencies(copy: string): void {
  const directory = join(copy, 'node_modules');
  mkdirSync(join(directory, '@zbc-signer'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!/^@?zbc-signer$/.test(name)) symlinkSync(join(root, 'node_modules', name), join(directory, name));
  }
  // make compares times with this file. The copy needs its own file, because the original must not be
  // modified.
  rmSync(join(directory, '.package-lock.json'));
  writeFileSync(join(directory, '.package-lock.json'), '');
  for (const name of packages) {
    const { name: installed } = JSON.parse(readText(`${name}/package.json`)) as { name: string };
    symlinkSync(join(copy, name), join(directory, installed));
    const own = join(root, name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(copy, name, 'node_modules'));
  }
}
