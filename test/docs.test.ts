import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { ACCOUNT_KINDS } from '../chain/src/index.js';
import { EXIT_CODES } from '../host/src/cli/exit-codes.js';
import * as reasons from '../protocol/refusal-reasons.js';
import * as statusWords from '../protocol/status-words.js';
import { contactSheet } from '../tools/contact-sheet.js';
import { transferScreens } from '../tools/draw-transfer.js';
import { runCli } from './support/cli.js';
import { readText, root } from './support/repository.js';

const DOCUMENTS = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];

/** Cells of the table rows of a document. */
function tableRows(path: string): string[][] {
  const lines = readText(path)
    .split('\n')
    .filter(line => line.startsWith('| '));
  return lines.map(line =>
    line
      .slice(1, -1)
      .split('|')
      .map(cell => cell.trim()),
  );
}

describe('docs/APDU.md', () => {
  const rows = tableRows('docs/APDU.md');

  test('lists every status word with its value, and no other', () => {
    const listed = rows
      .filter(([word]) => /^[0-9a-f]{4}$/.test(word!))
      .map(([word, name]) => [name, Number.parseInt(word!, 16)]);
    expect(Object.fromEntries(listed)).toEqual({ ...statusWords });
  });

  test('lists every refusal reason with its number, and no other', () => {
    const listed = rows
      .filter(([, name]) => name! in reasons)
      .map(([number, name]) => [name, Number(number)]);
    expect(Object.fromEntries(listed)).toEqual({ ...reasons });
    expect(listed).toHaveLength(Object.keys(reasons).length);
  });
});

test('docs/TRANSACTION.md lists every kind of account with its payload length', () => {
  const cells = tableRows('docs/TRANSACTION.md').filter(row => row.length === 6);
  const listed = cells.flatMap(([kind, name, length, ...right]) => [[kind, name, length], right]);
  const byNumber = new Map(
    listed.filter(([kind]) => /^\d+$/.test(kind!)).map(([kind, ...rest]) => [Number(kind), rest]),
  );
  const wanted = ACCOUNT_KINDS.map(
    ({ name, payloadLength }, kind) => [kind, [name, `${payloadLength}`]] as const,
  );
  expect([...byNumber].sort(([a], [b]) => a - b)).toEqual(wanted);
});

test.each(DOCUMENTS)('the files that %s links to exist', path => {
  const targets = [...readText(path).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(match => match[1]!);
  expect(targets.filter(target => !existsSync(join(root, path, '..', target)))).toEqual([]);
});

test.each(DOCUMENTS)('%s has no marks of a merge', path => {
  expect(readText(path)).not.toMatch(/^(?:<{7}|={7}|>{7})(?: |$)/m);
});

describe('README.md', () => {
  const rows = tableRows('README.md');

  test('has every folder in its map, and no other', () => {
    const listed = rows.flatMap(([first]) => [...first!.matchAll(/`([\w/-]+)\/`/g)].map(match => match[1]!));
    expect(listed.filter(folder => !existsSync(join(root, folder)))).toEqual([]);
    const folders = readdirSync(root, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && /^(?!\.|dist$|node_modules$)/.test(entry.name))
      .map(({ name }) => name);
    expect(folders.filter(name => !listed.some(folder => folder.split('/')[0] === name))).toEqual([]);
  });

  test('has every room of the gateway in its map', () => {
    const [, map = ''] = readText('README.md').split('\n## The house\n');
    const rooms = readdirSync(join(root, 'gateway/src'), { withFileTypes: true }).filter(entry =>
      entry.isDirectory(),
    );
    const isNamed = (name: string) => map.includes(`\`${name}\``) || map.includes(`\`gateway/src/${name}/\``);
    expect(rooms.map(({ name }) => name).filter(name => !isNamed(name))).toEqual([]);
  });

  test('lists every exit code with its meaning, and no other', () => {
    const listed = rows
      .filter(([code]) => /^\d+$/.test(code!))
      .map(([code, meaning]) => [Number(code), meaning]);
    expect(listed).toEqual(EXIT_CODES.map(({ code, meaning }) => [code, meaning]));
  });

  test('shows the screens that the firmware draws', async () => {
    const drawn = PNG.sync.read(Buffer.from(contactSheet(await transferScreens())));
    const shown = PNG.sync.read(readFileSync(join(root, 'docs/transfer.png')));
    expect([shown.width, shown.height]).toEqual([drawn.width, drawn.height]);
    expect(shown.data.equals(drawn.data)).toBe(true);
  });
});

test('docs/gallery.html shows what the firmware shows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-'));
  const drawn = join(folder, 'gallery.html');
  await runCli(['gallery', join(root, 'vectors/transactions.json'), '-o', drawn]);
  // The pictures' bytes depend on the version of zlib; their texts stand beside them.
  const withoutPictures = (html: string) => html.replaceAll(/data:image\/png;base64,[^"]*/g, '');
  expect(withoutPictures(readText('docs/gallery.html'))).toBe(withoutPictures(readFileSync(drawn, 'utf8')));
  rmSync(folder, { recursive: true });
});
