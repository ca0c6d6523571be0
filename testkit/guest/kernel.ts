import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/repository.js';

const CACHE = join(root, 'node_modules/.cache/zbc-signer/guest');
/**
 * Directories of the modules that the guest needs. Only these are unpacked: the whole package has half a
 * gigabyte.
 */
const MODULES = [
  'drivers/usb',
  'drivers/hid',
  'drivers/virtio',
  'drivers/net/virtio_net.ko',
  'drivers/net/net_failover.ko',
  'net/core/failover.ko',
  'net/9p',
  'fs/9p',
  'fs/netfs',
  'fs/fscache',
];
// The setup header of a bzImage (Linux, x86 boot protocol).
const SETUP_SECTORS = 0x1f1;
const PAYLOAD_OFFSET = 0x248;
const PAYLOAD_LENGTH = 0x24c;
const SECTOR = 512;

/** An unpacked kernel of Debian: the path of its ELF image, and the directory that contains lib/modules. */
export interface Kernel {
  image: string;
  directory: string;
  busybox: string;
}

/** Downloads Debian's kernel and busybox without installing them. The files are cached by version. */
export function obtainKernel(): Kernel {
  const name = kernelPackage();
  const directory = join(CACHE, name);
  const kernel = { image: join(directory, 'vmlinux'), directory, busybox: join(directory, 'bin/busybox') };
  if (!existsSync(kernel.image)) {
    rmSync(directory, { recursive: true, force: true });
    const unfinished = `${directory}.${process.pid}`;
    unpack(name, unfinished);
    renameSync(unfinished, directory);
  }
  return kernel;
}

function kernelPackage(): string {
  const listed = run('apt-cache', ['depends', 'linux-image-amd64']);
  const name = /Depends: (linux-image-\S+)/.exec(listed)?.[1];
  if (name === undefined)
    throw new Error('apt does not know the package linux-image-amd64: run apt-get update');
  return name;
}

function unpack(name: string, directory: string): void {
  mkdirSync(directory, { recursive: true });
  run('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', name, 'busybox-static'], directory);
  const packages = readdirSync(directory).filter(file => file.endsWith('.deb'));
  const kernel = packages.find(file => file.startsWith(name))!;
  const busybox = packages.find(file => file.startsWith('busybox'))!;
  const wanted = MODULES.map(path => `'./lib/modules/*/kernel/${path}*'`).join(' ');
  const tar = `tar -x --wildcards './boot/vmlinuz-*' './lib/modules/*/modules.builtin' ${wanted}`;
  run('sh', ['-c', `dpkg-deb --fsys-tarfile ${kernel} | ${tar}`], directory);
  run('dpkg-deb', ['-x', busybox, '.'], directory);
  for (const file of packages) rmSync(join(directory, file));
  extractImage(directory);
  // depmod writes the index in which modprobe finds modules.
  run('depmod', ['-b', directory, readdirSync(join(directory, 'lib/modules'))[0]!]);
}

/** Extracts the ELF image of the kernel. Decompression by the kernel itself would be slow in QEMU. */
function extractImage(directory: string): void {
  const [compressed] = readdirSync(join(directory, 'boot'));
  const image = readFileSync(join(directory, 'boot', compressed!));
  const start = (image[SETUP_SECTORS]! + 1) * SECTOR + image.readUInt32LE(PAYLOAD_OFFSET);
  // The last four bytes of the payload are the unpacked size.
  const payload = image.subarray(start, start + image.readUInt32LE(PAYLOAD_LENGTH) - 4);
  const unpacked = execFileSync('xz', ['-dc'], { input: payload, maxBuffer: 1 << 28 });
  writeFileSync(join(directory, 'vmlinux'), unpacked);
}

function run(program: string, words: string[], cwd = '/'): string {
  return execFileSync(program, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
