import { dirname, join } from 'node:path';
import { prose, repositoryFiles } from '../../testkit/documents.js';
import { packages, readText } from '../../testkit/repository.js';

const MAX_COLUMNS = 110;

const files = repositoryFiles().filter(path => !/\/generated\/|^vectors\/|\.d\.ts$/.test(path));
const sources = files.filter(path => /\.m?ts$|\.mjs$/.test(path));

/** Places and texts of the lines that are too long. */
function longLines(path: string, text: string, counts: (line: string) => boolean): string[] {
  return text
    .split('\n')
    .map((line, at) => ({ line, place: `${path}:${at + 1}` }))
    .filter(({ line }) => [...line].length > MAX_COLUMNS && counts(line))
    .map(({ place, line }) => `${place}: ${line.trim()}`);
}

describe('errors', () => {
  const ERROR_CLASS = /\bclass (\w+) extends \w*Error\b[^{]*\{([\s\S]*?)\n\}/g;

  test('set their name as a literal, which a minifier keeps', () => {
    const classes = sources.flatMap(path => [...readText(path).matchAll(ERROR_CLASS)]);
    const unnamed = classes.filter(
      ([, name, body = '']) => !new RegExp(`\\boverride readonly name(?:: string)? = '${name}';`).test(body),
    );
    expect(classes.length).toBeGreaterThan(30);
    expect(unnamed.map(([, name]) => name)).toEqual([]);
  });

  test('do not set it in any other way', () => {
    expect(sources.filter(path => /\bthis\.name = |\.constructor\.name/.test(readText(path)))).toEqual([]);
  });
});

describe('lines have at most 110 columns', () => {
  test('in comments', () => {
    const commented = files.filter(path => /\.(?:m?ts|mjs|c|h)$/.test(path));
    const isComment = (line: string) => /^\s*(?:\/\/|\/?\*)/.test(line);
    expect(commented.flatMap(path => longLines(path, readText(path), isComment))).toEqual([]);
  });

  test('in code, unless a literal is longer', () => {
    const isBreakable = (line: string) => !/['"`]|\/.*\//.test(line);
    expect(sources.flatMap(path => longLines(path, readText(path), isBreakable))).toEqual([]);
  });

  test('in documents, outside tables and code blocks', () => {
    const isProse = (line: string) => !/^\s*\||\]\(|^\s*<|^ {4}/.test(line);
    const documents = files.filter(path => /\.md$/.test(path) && !/OFL|licen[cs]e/i.test(path));
    expect(documents.flatMap(path => longLines(path, prose(path), isProse))).toEqual([]);
  });
});

describe('a single statement', () => {
  const HEAD = /^( *)(?:\} else )?(?:if|for|while) \(.*\) \{$/;

  /** Places of blocks of one line that would fit behind what they depend on. */
  function needlessBlocks(path: string): string[] {
    const lines = readText(path).split('\n');
    return lines.flatMap((line, at) => {
      const [, indent] = HEAD.exec(line) ?? [];
      const [, statement] = /^ *((?!if |for |while )[^ /}].*;)$/.exec(lines[at + 1] ?? '') ?? [];
      const isBlock = indent !== undefined && lines[at + 2] === `${indent}}` && !line.includes('} else ');
      const isShort = line.length - 1 + (statement?.length ?? 0) <= MAX_COLUMNS;
      return isBlock && statement !== undefined && isShort ? [`${path}:${at + 1}`] : [];
    });
  }

  test('stands behind its condition, without a block, where it fits', () => {
    expect(sources.flatMap(needlessBlocks)).toEqual([]);
  });
});

describe('exports', () => {
  const DECLARATION =
    /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
  const FROM = /\b(?:import|export)\b\s*(?:type\s+)?([^'";]*?)\s*\bfrom\s*'([^']+)'/g;
  const DYNAMIC = /\bimport\(\s*['"`]([^'"`]+)['"`]/g;
  /** A type that emitted declarations name, and functions in the text of generated modules. */
  const KEPT = [
    'tools/generate/keccak-permutation.ts: permuteKeccak',
    'tools/generate/sha512-rounds.ts: runSha512Rounds',
  ];

  /** The module's path without its extension; '' for one that is imported by the name of a package. */
  function moduleOf(file: string, name: string): string {
    const [start = '', ...rest] = name.split('/');
    const path = start.startsWith('#') ? join(start.slice(1), 'src', ...rest) : join(dirname(file), name);
    return /^[.#]/.test(name) ? withoutExtension(path) : '';
  }

  function withoutExtension(path: string): string {
    return path.replace(/\.(?:[jt]s|m[jt]s)$/, '').replace('/dist/', '/src/');
  }

  /** `module: name` for every import; `module: *` where all of a module is imported. */
  function importsOf(file: string): string[] {
    const source = readText(file);
    const listed = [...source.matchAll(FROM)].flatMap(([, clause = '', name = '']) =>
      namesIn(clause).map(imported => `${moduleOf(file, name)}: ${imported}`),
    );
    const dynamic = [...source.matchAll(DYNAMIC)].map(([, name = '']) => `${moduleOf(file, name)}: *`);
    return [...listed, ...dynamic];
  }

  function namesIn(clause: string): string[] {
    if (clause.includes('*')) return ['*'];
    const list = /\{([^}]*)\}/.exec(clause)?.[1] ?? '';
    return list.split(',').map(item =>
      item
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*/, ''),
    );
  }

  /** The sources behind the `exports` of the packages; every module of the protocol is one. */
  function interfaces(): string[] {
    return packages.flatMap(directory => {
      const manifest = JSON.parse(readText(`${directory}/package.json`));
      const entries = Object.values<{ default?: string }>(manifest.exports);
      return entries.map(entry => withoutExtension(join(directory, entry.default ?? '')));
    });
  }

  /** The functions of a WebAssembly module. */
  const { entries, targets } = JSON.parse(readText('asconfig.json')) as {
    entries: string[];
    targets: Record<string, { entry?: string }>;
  };
  const firmwareEntries = [...entries, ...Object.values(targets).map(({ entry = '' }) => entry)];

  test('are imported by another module, or by users of the package', () => {
    const imported = new Set(sources.flatMap(importsOf));
    const published = interfaces();
    const isPublished = (path: string) => published.includes(path) || path.startsWith('protocol/');
    const needless = sources
      .filter(path => !firmwareEntries.includes(path) && !isPublished(withoutExtension(path)))
      .filter(path => !imported.has(`${withoutExtension(path)}: *`))
      .flatMap(path => [...readText(path).matchAll(DECLARATION)].map(([, name]) => ({ path, name })))
      .filter(({ path, name }) => !imported.has(`${withoutExtension(path)}: ${name}`))
      .map(({ path, name }) => `${path}: ${name}`);
    expect(needless).toEqual(KEPT);
  });
});
