import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles, rowsOf, sectionOf } from '../testkit/repository/documents.js';
import { readText, root } from '../testkit/repository/repository.js';

interface List {
  heading: string;
  /** Existing members whose names replace `NAME`. */
  examples: readonly string[];
  /** A file with all patterns of an entry must change for a new member. */
  marks: readonly (readonly RegExp[])[];
  /** Files with the marks that need no change for a new member. */
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
    // Only a comment on a field of the configuration has the marks.
    exempt: ['gateway/src/config/schema.ts'],
  },
];

const sources = repositoryFiles().filter(path => /\.(?:ts|c|h)$/.test(path) && !path.startsWith('test/'));

/** The files in the list's first column, with each example in place of `NAME`. */
function listedFiles({ heading, examples }: List): string[][] {
  const rows = rowsOf(sectionOf('CONTRIBUTING.md', heading));
  const paths = rows.flatMap(([file]) => /^`([^`]+)`$/.exec(file!)?.[1] ?? []);
  return paths.map(path => examples.map(example => path.replace('NAME', example)));
}

test.each(LISTS)('every file under "$heading" in CONTRIBUTING.md exists', list => {
  const listed = listedFiles(list);
  const lost = listed.filter(paths => !paths.some(path => existsSync(join(root, path))));
  expect(lost.map(([path]) => path)).toEqual([]);
  expect(listed.length).toBeGreaterThan(5);
});

test.each(LISTS)('"$heading" in CONTRIBUTING.md lists every file that names all there are', list => {
  const listed = new Set(listedFiles(list).flat());
  const marked = sources.filter(path => {
    const text = readText(path);
    return list.marks.some(patterns => patterns.every(pattern => pattern.test(text)));
  });
  const exempt = new Set(list.exempt ?? []);
  expect(marked.filter(path => !listed.has(path) && !exempt.has(path))).toEqual([]);
  expect(marked.length).toBeGreaterThan(3);
});
