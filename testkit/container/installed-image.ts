import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { NPM_PROGRAM, npm } from '../packages/npm.js';
import { tarballPath } from '../packages/tarballs.js';
import type { Buildah } from './buildah.js';

const BASE = 'docker.io/library/node:22-bookworm-slim';
const BASE_FILE = `FROM scratch
COPY files /
ENV PATH=/usr/local/bin:/usr/bin:/bin npm_config_offline=true npm_config_cache=/offline/cache
`;

/**
 * Builds an image from the directory `source`, which has a Containerfile. The packed command line is copied
 * into the image. A local replacement of Node's image is the base, so no registry is needed. `directory` is
 * for temporary files.
 */
export function buildInstalled(buildah: Buildah, name: string, source: string, directory: string): void {
  const base = join(directory, 'base');
  fillBaseImage(join(base, 'files'));
  writeFileSync(join(base, 'Containerfile'), BASE_FILE);
  buildah.build(BASE, base);
  const offline = prepareInstallation(directory);
  const context = join(directory, 'context');
  cpSync(source, context, { recursive: true });
  const tarball = tarballPath('cli');
  copyFileSync(tarball, join(context, basename(tarball)));
  const file = ['--file', join(context, 'Containerfile')];
  buildah.build(name, context, ...file, '--volume', `${offline}:/offline`);
}

/** Prepares an npm cache with all dependencies of the package, so that the build needs no registry. */
function prepareInstallation(directory: string): string {
  const offline = join(directory, 'offline');
  mkdirSync(join(offline, 'project'), { recursive: true });
  writeFileSync(join(offline, 'project/package.json'), '{"private":true}');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', join(offline, 'cache')];
  npm([...words, tarballPath('cli')], join(offline, 'project'));
  return offline;
}

const PROGRAMS = ['/bin/sh', '/usr/bin/env', '/usr/bin/install'];

/**
 * Fills a directory with a replacement of Node's image: this machine's Node and npm, a shell, and the user
 * `node`. Tests must not depend on an image registry.
 */
function fillBaseImage(directory: string): void {
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

/**
 * Adds a program and its linked libraries, which are copied to the paths where the dynamic loader expects
 * them.
 */
function addProgram(directory: string, program: string, place: string): void {
  const linked = execFileSync('ldd', [program], { encoding: 'utf8' });
  const libraries = [...linked.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!);
  for (const [from, to] of [[program, place], ...libraries.map(path => [path, path])] as [string, string][]) {
    mkdirSync(dirname(join(directory, to)), { recursive: true });
    cpSync(realpathSync(from), join(directory, to));
  }
}
