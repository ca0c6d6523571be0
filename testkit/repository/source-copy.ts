import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './repository.js';

/** A copy of the sources in a separate directory, as someone else has it, with what is installed. */
export function copySources(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), name));
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of stdout.split('\0').filter(each => each !== '')) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    cpSync(join(root, path), join(directory, path), { force: true });
  }
  linkModules(directory);
  return directory;
}

/** The installed packages of others, and those of the copy. */
function linkModules(directory: string): void {
  const [from, to] = [join(root, 'node_modules'), join(directory, 'node_modules')];
  mkdirSync(join(to, '@zbc-signer'), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== '@zbc-signer') symlinkSync(join(from, name), join(to, name));
  }
  // What make compares times with; that of the repository is not to be touched.
  rmSync(join(to, '.package-lock.json'));
  writeFileSync(join(to, '.package-lock.json'), '');
  for (const name of readdirSync(join(from, '@zbc-signer'))) {
    symlinkSync(readlinkSync(join(from, '@zbc-signer', name)), join(to, '@zbc-signer', name));
  }
}
