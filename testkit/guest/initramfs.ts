import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Kernel } from './kernel.js';

const DIRECTORY = 0o40755;
const PROGRAM = 0o100755;
const FILE = 0o100644;
const LINK = 0o120777;
const CHARACTER_DEVICE = 0o20600;
const DIRECTORIES = ['bin', 'dev', 'proc', 'sys', 'modules', 'host', 'tmp', 'run'];
const COMMANDS = [
  'cat',
  'chroot',
  'dd',
  'env',
  'ifconfig',
  'insmod',
  'ls',
  'mkdir',
  'mount',
  'poweroff',
  'printf',
  'sh',
  'tr',
];

/** A cpio archive (format newc), to which files are added one by one. */
class Archive {
  readonly #parts: Buffer[] = [];
  #files = 0;

  add(
    name: string,
    mode: number,
    content: Uint8Array = Buffer.alloc(0),
    device: [number, number] = [0, 0],
  ): void {
    this.#files += 1;
    const path = Buffer.from(`${name}\0`);
    const fields = [this.#files, mode, 0, 0, 1, 0, content.length, 0, 0, ...device, path.length, 0];
    const header = Buffer.from(`070701${fields.map(field => field.toString(16).padStart(8, '0')).join('')}`);
    this.#parts.push(header, path, padding(header.length + path.length));
    this.#parts.push(Buffer.from(content), padding(content.length));
  }

  bytes(): Buffer {
    this.add('TRAILER!!!', 0);
    return Buffer.concat(this.#parts);
  }
}

/**
 * Returns the initial file system of the guest: busybox, `init`, and the kernel modules with their
 * dependencies. The names of the modules give the order in which they are loaded.
 */
export function makeInitramfs(kernel: Kernel, modules: readonly string[], init: string): Buffer {
  const archive = new Archive();
  for (const name of DIRECTORIES) archive.add(name, DIRECTORY);
  archive.add('dev/console', CHARACTER_DEVICE, undefined, [5, 1]);
  archive.add('bin/busybox', PROGRAM, readFileSync(kernel.busybox));
  for (const name of COMMANDS) archive.add(`bin/${name}`, LINK, Buffer.from('busybox'));
  for (const [at, path] of loadOrder(kernel, modules).entries()) {
    archive.add(`modules/${String(at).padStart(3, '0')}-${basename(path)}`, FILE, readFileSync(path));
  }
  archive.add('init', PROGRAM, readFileSync(init));
  return archive.bytes();
}

function padding(length: number): Buffer {
  return Buffer.alloc(-length & 3);
}

const moduleName = (path: string) => basename(path, '.ko').replaceAll('-', '_');

/** Returns the paths of the modules and their dependencies. A module follows its dependencies. */
function loadOrder(kernel: Kernel, wanted: readonly string[]): string[] {
  const base = join(kernel.directory, 'lib/modules');
  const release = join(base, readdirSync(base)[0]!);
  const files = readdirSync(release, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.ko'),
  );
  const paths = new Map(files.map(name => [moduleName(name), join(release, name)]));
  const builtIn = new Set(readFileSync(join(release, 'modules.builtin'), 'utf8').split('\n').map(moduleName));
  const order = new Set<string>();
  const load = (name: string): void => {
    if (builtIn.has(name)) return;
    const path = paths.get(name);
    if (path === undefined) throw new Error(`the kernel has no module ${name}`);
    for (const needed of dependencies(path)) load(needed);
    order.add(path);
  };
  for (const name of wanted) load(name.replaceAll('-', '_'));
  return [...order];
}

/** Returns the names of the modules on which a module depends, from its .modinfo section. */
function dependencies(path: string): string[] {
  const listed = /\0depends=([^\0]*)\0/.exec(readFileSync(path, 'latin1'))?.[1] ?? '';
  return listed
    .split(',')
    .filter(name => name !== '')
    .map(name => name.replaceAll('-', '_'));
}
