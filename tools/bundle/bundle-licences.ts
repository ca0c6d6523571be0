import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice|ofl\.md)/i;
/** Matches the licence section of a README, for packages without a licence file. */
const LICENCE_SECTION = /^#+ *licen[cs]e *$\n+([\s\S]+?)(?:\n#|$)/im;
/** The packages from npm whose code or data is in the firmware's modules. */
export const FIRMWARE_PACKAGES = [
  { name: '@scure/bip39', description: 'word list of BIP-39, which is in the module of the keystore' },
  { name: 'assemblyscript', description: 'compiles the modules; parts of its standard library are in them' },
  { name: 'galmuri', description: 'typeface from which the glyphs in the module are derived' },
];
/** A file of each of these packages, for `collectLicences`. */
export const FIRMWARE_FILES = FIRMWARE_PACKAGES.map(({ name }) => `node_modules/${name}/package.json`);
const COMMON_LICENCE = /\/usr\/share\/common-licenses\/[\w.-]*\w/g;
const PACKAGE = /^(?:deferred:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

interface Manifest {
  name: string;
  version: string;
  license?: string;
}

/** Returns the text of THIRD-PARTY-LICENSES for the files of a bundle; throws if a package has no licence. */
export function collectLicences(root: string, files: readonly string[]): string {
  const packages = [...new Set(files.flatMap(file => PACKAGE.exec(file)?.[1] ?? []))];
  const entries = packages.map(path => describePackage(join(root, path)));
  return `Third-party software in this package, with its licences.\n${[...new Set(entries)].sort().join('')}`;
}

/** Returns the licences of Debian packages, and the texts to which they refer; throws if one is missing. */
export function collectDebianLicences(names: readonly string[], directory = '/usr/share/doc'): string {
  const texts = names.map(name => {
    const file = join(directory, name, 'copyright');
    if (!existsSync(file))
      throw new Error(
        `${file} is missing: the licence of a library in the images; make system-deps installs it`,
      );
    return [`${name} of Debian`, readFileSync(file, 'utf8').trim()] as const;
  });
  const common = [...new Set(texts.flatMap(([, text]) => text.match(COMMON_LICENCE) ?? []))].sort();
  const entries = [...texts, ...common.map(path => [path, readFileSync(path, 'utf8').trim()] as const)];
  return entries.map(([title, text]) => `\n${'-'.repeat(80)}\n${title}\n\n${text}\n`).join('');
}

function describePackage(path: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;
  const texts = readLicences(path);
  if (license === undefined || texts.length === 0)
    throw new Error(
      `${path} has no licence file, or its package.json has no license field (${name} ${version})`,
    );
  return `\n${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

function readLicences(path: string): string[] {
  const names = readdirSync(path).sort();
  const texts = names.filter(name => LICENCE_FILE.test(name)).map(name => readText(path, name));
  if (texts.length > 0) return texts;
  const readme = names.find(name => /^readme/i.test(name));
  return readme === undefined ? [] : (LICENCE_SECTION.exec(readText(path, readme))?.slice(1) ?? []);
}

function readText(path: string, name: string): string {
  return readFileSync(join(path, name), 'utf8').trim();
}
