import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDirectory } from '../../testkit/process/temporary-directory.js';
import { root } from '../../testkit/repository/repository.js';
import { linkDependencies, outputDirectories } from '../copy.js';
import { buildAll } from './build.js';

/** `count` built copies of the repository as it stands, deleted when the process ends. */
export function createWorkspaces(count: number): string[] {
  const directory = openDirectory('planted-faults-');
  const copies = Array.from({ length: count }, (_, at) => join(directory, `${at + 1}`));
  for (const copy of copies) copySources(copy);
  buildAll(copies[0]!);
  for (const copy of copies.slice(1)) {
    for (const output of outputDirectories) {
      cpSync(join(copies[0]!, output), join(copy, output), { recursive: true });
    }
  }
  return copies;
}

function copySources(copy: string): void {
  const arguments_ = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', arguments_, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  for (const path of listed.split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  linkDependencies(copy);
}
