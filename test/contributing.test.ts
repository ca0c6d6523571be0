import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandGroups, nodeSentence } from '../testkit/packages/documented-commands.js';
import { openTestDirectory } from '../testkit/process/temporary-directory.js';
import { repositoryFiles, rowsOf, sectionOf } from '../testkit/repository/documents.js';
import { readText, root } from '../testkit/repository/repository.js';

const MAKE = execFileSync('sh', ['-c', 'command -v make'], { encoding: 'utf8' }).trim();
const PLACEHOLDER = /\/path\/to|(?:^| )[A-Z]+(?: |$)/;

interface List {
  heading: string;
  /** Existing members whose names replace `NAME`. */
  examples: readonly string[];
  /** Sets of patterns; a file that matches all patterns of one set must change for a new member. */
  marks: readonly (readonly RegExp[])[];
  /** Files that match, but need no change for a new member. */
  exempt?: readonly string[];
}

const LISTS: readonly List[] = [
  {
    heading: '## Adding a transaction type',
    examples: ['send-zbc', 'transfer-token', 'approval-escrow', 'send-token'],
    marks: [[/\bSEND_ZBC\b/, /\bAPPROVAL_ESCROW\b/, /\bTRANSFER_TOKEN\b/]],
  },
  {
    heading: '## Adding a command',
    examples: ['get-public-key', 'sign-tx', 'sign-message'],
    marks: [[/\b(?:INS_)?GET_PUBLIC_KEY\b/, /\b(?:INS_)?SIGN_TX\b/, /\b(?:INS_)?SIGN_MESSAGE\b/]],
  },
  {
    heading: '### On a full node',
    examples: ['accounts', 'markets'],
    marks: [[/\/api\/v1\/tokens['`]/]],
    // This file is a fixture of other tests.
    exempt: ['testkit/chain/model-chain.ts'],
  },
  {
    heading: '### On an archival node',
    examples: ['movements', 'transactions'],
    marks: [[/\bmovements\/latest\b/]],
  },
  {
    heading: '### On the gateway',
    examples: ['status'],
    marks: [[/\brelay\/info\b/]],
  },
];

const sources = repositoryFiles().filter(path => /\.(?:ts|c|h)$/.test(path) && !path.startsWith('test/'));

/** The files in the list's first column, with each example in place of `NAME`. */
function listedFiles({ heading, examples }: List): string[][] {
  const rows = rowsOf(sectionOf('CONTRIBUTING.md', heading));
  const paths = rows.flatMap(([file]) => /^`([^`]+)`$/.exec(file!)?.[1] ?? []);
  return paths.map(path => examples.map(example => path.replace('NAME', example)));
}

const bin = openTestDirectory();

/** Runs make with a directory of programs before, or instead of, all others. */
const make = (target: string, path: string) =>
  spawnSync(MAKE, ['--silent', target], { cwd: root, encoding: 'utf8', env: { PATH: path } });

test('make shows the error of a Node that cannot start', () => {
  writeFileSync(join(bin, 'node'), '#!/bin/sh\necho "node: libnode.so is missing" >&2\nexit 127\n', {
    mode: 0o755,
  });
  const { status, stderr } = make('node-version', `${bin}:${process.env.PATH}`);
  expect([status, stderr]).toEqual([2, expect.stringContaining('libnode.so is missing')]);
  expect(stderr).toContain(nodeSentence());
});

test('a command names the programs that are missing, and how to install them', () => {
  for (const name of ['sed', 'grep', 'tr', 'sh'])
    symlinkSync(
      execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      join(bin, name),
    );
  const { status, stderr } = make('needs-test-node', bin);
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^test-node needs .*python3.*; make system-deps installs/),
  ]);
});

test.each(LISTS)('every file under "$heading" in CONTRIBUTING.md exists', list => {
  const listed = listedFiles(list);
  const lost = listed.filter(paths => !paths.some(path => existsSync(join(root, path))));
  expect(lost.map(([path]) => path)).toEqual([]);
  expect(listed.length).toBeGreaterThan(5);
});

test.each(LISTS)(
  '"$heading" in CONTRIBUTING.md lists every file that names all members of the kind',
  list => {
    const listed = new Set(listedFiles(list).flat());
    const marked = sources.filter(path => {
      const text = readText(path);
      return list.marks.some(patterns => patterns.every(pattern => pattern.test(text)));
    });
    const exempt = new Set(list.exempt ?? []);
    expect(marked.filter(path => !listed.has(path) && !exempt.has(path))).toEqual([]);
    expect(marked.length).toBeGreaterThan(3);
  },
);

describe('the commands that make test-bare-machine finds in the documents', () => {
  const groups = commandGroups();

  test('need the packages of make system-deps only after it', () => {
    const install = groups.findIndex(group => group.includes('make system-deps'));
    expect(groups.slice(0, install).flat()).toEqual(
      expect.arrayContaining(['make demo', 'make check', 'make test']),
    );
    expect(groups.at(-1)).toEqual(expect.arrayContaining(['make test-node', 'npm run test:packages']));
  });

  test('are whole commands without placeholders', () => {
    const commands = groups.flat();
    expect(commands).toContain('npm pack --workspaces --ignore-scripts --pack-destination dist');
    expect(commands.filter(command => /\n/.test(command) || PLACEHOLDER.test(command))).toEqual([]);
  });

  test('are those of a README that names the least Node as the Makefile does', () => {
    const { engines } = JSON.parse(readText('package.json')) as { engines: { node: string } };
    expect(nodeSentence()).toBe(`You need make and Node ≥ ${engines.node.replace('>=', '')}`);
    expect(readText('Makefile')).toContain('You need make and Node ≥ $(LEAST_NODE);');
  });
});
