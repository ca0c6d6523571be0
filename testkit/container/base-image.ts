import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NPM_PROGRAM } from '../packages/npm.js';

const PROGRAMS = ['/bin/sh', '/usr/bin/env', '/usr/bin/install'];

/**
 * Fills a directory with the files of an image that stands in for Node's, as no test depends on a registry of
 * images: this machine's Node and npm, a shell, and the user `node`.
 */
export function fillBaseImage(directory: string): void {
  for (const path of ['bin', 'etc', 'root', 'home/node', 'usr/bin', 'usr/local/bin', 'usr/local/lib']) {
    mkdirSync(join(directory, path), { recursive: true });
  }
  mkdirSync(join(directory, 'tmp'), { mode: 0o1777 });
  execFileSync('chmod', ['1777', join(directory, 'tmp')]);
  execFileSync('chown', ['1000:1000', join(directory, 'home/node')]);
  writeFileSync(
    join(directory, 'etc/passwd'),
    'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
  );
  writeFileSync(join(directory, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  for (const program of PROGRAMS) addProgram(directory, program, program);
  addProgram(directory, process.execPath, '/usr/local/bin/node');
  const npm = dirname(dirname(NPM_PROGRAM));
  cpSync(npm, join(directory, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(directory, 'usr/local/bin/npm'));
}

/** With the libraries that it is linked to, where its loader looks for them. */
function addProgram(directory: string, program: string, place: string): void {
  const linked = execFileSync('ldd', [program], { encoding: 'utf8' });
  const libraries = [...linked.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!);
  for (const [from, to] of [[program, place], ...libraries.map(path => [path, path])] as [string, string][]) {
    mkdirSync(dirname(join(directory, to)), { recursive: true });
    cpSync(realpathSync(from), join(directory, to));
  }
}
