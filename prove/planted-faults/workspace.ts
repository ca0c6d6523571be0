import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFolder } from '../temporary-folder.js';
import { buildAll } from './build.js';

/** The repository's root folder. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** `count` built copies of the repository as it stands, deleted when the process ends. */
export function createWorkspaces(count: number): string[] {
  const folder = openFolder('planted-faults-');
  const copies = Array.from({ length: count }, (_, at) => join(folder, `${at + 1}`));
  for (const copy of copies) copySources(copy);
  buildAll(copies[0]!);
  for (const copy of copies.slice(1))
    cpSync(join(copies[0]!, 'dist'), join(copy, 'dist'), { recursive: true });
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
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}
