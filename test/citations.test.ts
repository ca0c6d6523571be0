import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchors, documents, prose, repositoryFiles } from '../testkit/repository/documents.js';
import { readText, root } from '../testkit/repository/repository.js';

const CODE = /\.(?:ts|js|mjs|c|h|S|mk|sh|json|html|css)$|^Makefile$|^\.ci\//;
/** Link target of the packages' READMEs, which are read outside the repository. */
const HOME = 'https://github.com/zbc-signer/zbc-signer/blob/main/';
const SELF = 'test/citations.test.ts';

/** `docs/FILE.md`, with the heading's anchor if there is one, in code or prose. */
const CITATION = /\bdocs\/[\w./-]+\.md(?:#[\w-]+)?/g;
/** Names under which documents outside this repository were once cited. */
const STRANGERS =
  /\b(?:interface\.md|(?<!zbc-)signer-protocol|chain-facts|emulator-api)\b|(?<![\w/-])(?:crypto|style|usb)\.md\b|\.\.\/shared\b/;

const sources = repositoryFiles().filter(
  path => CODE.test(path) && path !== SELF && path !== 'package-lock.json',
);
const pages = documents();

function isFound(target: string): boolean {
  const [path, anchor] = target.split('#') as [string, string | undefined];
  return existsSync(join(root, path)) && (anchor === undefined || anchors(path).has(anchor));
}

test('every citation in code names an existing document and heading', () => {
  const cited = sources.flatMap(path =>
    [...readText(path).matchAll(CITATION)].map(([target]) => ({ path, target })),
  );
  expect(cited.filter(({ target }) => !isFound(target))).toEqual([]);
  expect(cited.length).toBeGreaterThan(100);
});

test('no heading is cited by its words instead of its anchor', () => {
  const quoted = sources.filter(path => /\bdocs\/[\w./-]+\.md,? "/.test(readText(path)));
  expect(quoted).toEqual([]);
});

test('no file cites a document outside the repository', () => {
  const strangers = [...sources, ...pages].filter(path => STRANGERS.test(readText(path)));
  expect(strangers).toEqual([]);
});

test.each(pages)('every link of %s leads to an existing file and heading', path => {
  const links = [...prose(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  const local = links.filter(target => target.startsWith(HOME) || !/^https?:/.test(target));
  const lost = local.filter(target => {
    const [file, anchor] = target.replace(HOME, '/').split('#') as [string, string | undefined];
    const absolute = file.startsWith('/') ? file : join('/', dirname(path), file);
    const named = file === '' ? path : absolute.slice(1);
    return !isFound(anchor === undefined ? named : `${named}#${anchor}`);
  });
  expect(lost).toEqual([]);
});
