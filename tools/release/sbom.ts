import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReleaseManifest, sha256Hex } from '@zbc-signer/image';
import { FIRMWARE_PACKAGES } from '../bundle/bundle-licences.js';
import { packageVersion } from './toolchain.js';

interface Component {
  name: string;
  version: string;
  licence: string;
  purl: string;
  description?: string;
}

/** Packages whose published files contain their development dependencies. */
const BUNDLED = ['cli', 'wallet'];

const GCC = {
  licence: 'GPL-3.0-or-later WITH GCC-exception-3.1',
  description: 'libgcc: arithmetic functions of the compiler',
};
const LIBC = { licence: 'BSD-3-Clause', description: 'memory functions of the C library' };

/** The Debian packages from which code is linked into the images of boards. */
export const LINKED_PACKAGES = [
  { name: 'gcc-arm-none-eabi', ...GCC },
  { name: 'gcc-riscv64-unknown-elf', ...GCC },
  { name: 'libnewlib-arm-none-eabi', ...LIBC },
  { name: 'picolibc-riscv64-unknown-elf', ...LIBC },
  {
    name: 'wabt',
    licence: 'Apache-2.0',
    description: 'code that wasm2c writes, and the header of its runtime',
  },
];

type Description = Omit<ReleaseManifest, 'files'>;

interface LockedPackage {
  name?: string;
  version: string;
  license?: string;
  /** The directory of a workspace, if this entry is a link. */
  resolved?: string;
  link?: true;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  workspaces?: string[];
}

/** Returns a CycloneDX 1.6 list of the firmware's components. The same release always gives the same text. */
export function formatFirmwareSbom(
  root: string,
  release: Description,
  files: ReleaseManifest['files'],
): string {
  const packages = readLockFile(root);
  const purl = `pkg:generic/zbc-signer-firmware@${release.version}`;
  const firmware = { type: 'firmware', name: 'zbc-signer', licence: 'MIT AND OFL-1.1', purl };
  const fromNpm = FIRMWARE_PACKAGES.map(({ name, description }) => ({
    ...componentOf(packages, `node_modules/${name}`),
    description,
  }));
  return formatSbom(firmware, [...fromNpm, ...debianComponents()], files, release);
}

/**
 * Returns such a list for each published package that has dependencies or contains them, by file name. `npm
 * sbom --omit dev` lacks each dependency that is also a development dependency of the workspace.
 */
export function formatPackageSboms(root: string, release: Description): Map<string, string> {
  const packages = readLockFile(root);
  const sboms = new Map<string, string>();
  for (const directory of packages['']!.workspaces!) {
    const own = componentOf(packages, directory);
    const needed = [...closureOf(packages, directory)].filter(path => path !== directory).sort();
    const list = needed.map(path => componentOf(packages, path));
    const text = formatSbom({ ...own, type: 'application' }, list, [], release);
    if (list.length > 0) sboms.set(`sbom-${directory}.cdx.json`, text);
  }
  return sboms;
}

function readLockFile(root: string): Record<string, LockedPackage> {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
}

/** Returns the entries of the lock file that an installation of a package has, or that its files contain. */
function closureOf(packages: Record<string, LockedPackage>, directory: string): Set<string> {
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies, devDependencies } = packages[path]!;
    const bundled = path === directory && BUNDLED.includes(path) ? devDependencies : {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...bundled })) {
      add(locate(packages, path, name));
    }
  };
  add(directory);
  return found;
}

/** Finds a dependency as Node does: in node_modules of the package, then of each directory above. */
function locate(packages: Record<string, LockedPackage>, from: string, name: string): string {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = `${at}${at && '/'}node_modules/${name}`;
    const entry = packages[path];
    if (entry) return entry.link ? entry.resolved! : path;
    if (at === '') throw new Error(`package-lock.json has no ${name}, which ${from} needs`);
  }
}

function componentOf(packages: Record<string, LockedPackage>, path: string): Component {
  const entry = packages[path]!;
  const name = entry.name ?? path.replace(/^.*node_modules\//, '');
  if (entry.license === undefined) throw new Error(`package-lock.json has no licence of ${name}`);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${entry.version}`;
  return { name, version: entry.version, licence: entry.license, purl };
}

const licensesOf = (licence: string) => [
  licence.includes(' ') ? { expression: licence } : { license: { id: licence } },
];

function formatSbom(
  { type, name, licence, purl: subject }: Omit<Component, 'version'> & { type: string },
  all: readonly Component[],
  files: ReleaseManifest['files'],
  { version, sources, toolchain }: Description,
): string {
  // A package may be installed in several places.
  const components = [...new Map(all.map(component => [component.purl, component])).values()];
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(`${subject} ${sources.sha256}`)}`,
    version: 1,
    metadata: {
      component: {
        type,
        'bom-ref': subject,
        name,
        version,
        licenses: licensesOf(licence),
        purl: subject,
      },
      tools: {
        components: toolchain.map(({ name: of, version: at }) => ({
          type: 'application',
          name: of,
          version: at,
        })),
      },
    },
    components: [
      ...components.map(({ licence: of, ...component }) => ({
        type: 'library',
        'bom-ref': component.purl,
        ...component,
        licenses: licensesOf(of),
      })),
      ...files.map(({ name: file, sha256 }) => ({
        type: 'file',
        'bom-ref': `file:${file}`,
        name: file,
        hashes: [{ alg: 'SHA-256', content: sha256 }],
      })),
    ],
    dependencies: [{ ref: subject, dependsOn: components.map(({ purl }) => purl) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Returns the components from Debian in the images of boards. */
function debianComponents(): Component[] {
  return LINKED_PACKAGES.map(({ name, licence, description }) => {
    const version = packageVersion(name);
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}`;
    return { name, version, licence, purl, description };
  });
}

/** Derives a UUID from a hash in hex (RFC 9562, version 8). */
function uuidOf(digest: string): string {
  const name = sha256Hex(`zbc-signer sbom ${digest}`);
  return [
    name.slice(0, 8),
    name.slice(8, 12),
    `8${name.slice(13, 16)}`,
    `8${name.slice(17, 20)}`,
    name.slice(20, 32),
  ].join('-');
}
