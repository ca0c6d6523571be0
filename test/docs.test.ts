import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCOUNT_KINDS } from '@zbc-signer/chain';
import * as reasons from '@zbc-signer/protocol/refusal-reasons';
import * as statusWords from '@zbc-signer/protocol/status-words';
import { PNG } from 'pngjs';
import { rowsOf, sectionOf, tableRows } from '../testkit/repository/documents.js';
import { readText, root } from '../testkit/repository/repository.js';
import {
  contactSheet,
  newSeedPages,
  restorePages,
  specimenScreens,
  transferScreens,
} from '../tools/draw/pictures.js';

describe('docs/APDU.md', () => {
  const rows = tableRows('docs/APDU.md');

  test('lists exactly the status words of the protocol, with their values', () => {
    const listed = rows
      .filter(([word]) => /^[0-9a-f]{4}$/.test(word!))
      .map(([word, name]) => [name, Number.parseInt(word!, 16)]);
    expect(Object.fromEntries(listed)).toEqual({ ...statusWords });
  });

  test('lists exactly the refusal reasons of the protocol, each with its number and a status word', () => {
    const details = sectionOf('docs/APDU.md', '## Refusal details');
    const listed = rowsOf(details).filter(([number]) => /^\d+$/.test(number!));
    expect(Object.fromEntries(listed.map(([number, name]) => [name, Number(number)]))).toEqual({
      ...reasons,
    });
    expect(listed).toHaveLength(Object.keys(reasons).length);
    expect(listed.filter(([, , word]) => !(word! in statusWords))).toEqual([]);
  });
});

test('docs/THREATS.md names sources and tests that exist', () => {
  const rows = rowsOf(sectionOf('docs/THREATS.md', '## Guarantees')).slice(2);
  const named = (cell: string) => [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name]) => name!);
  const sources = rows.flatMap(([, cell]) => named(cell!)).map(name => `firmware/assembly/${name}`);
  const tests = rows.flatMap(([, , cell]) => named(cell!)).filter(name => !name.includes('/'));
  const files = [...sources, ...tests.map(name => `test/firmware/${name}.test.ts`)];
  expect(files.filter(file => !existsSync(join(root, file)))).toEqual([]);
  expect(sources.length).toBeGreaterThan(10);
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

/** A file of seeds has several lists. */
const casesOf = ({ cases, ...lists }: { cases?: unknown[] } & Record<string, unknown>) =>
  (cases ? [cases] : Object.values(lists).filter(Array.isArray)).flat().length;

test('vectors/README.md lists exactly the files of vectors, each with the number of its cases', () => {
  const listed = tableRows('vectors/README.md')
    .filter(([name]) => name!.endsWith('.json`'))
    .map(([name, cases]) => [name!.replaceAll('`', ''), Number(cases)]);
  const files = readdirSync(join(root, 'vectors')).filter(name => name.endsWith('.json'));
  const counted = files.map(name => [name, casesOf(JSON.parse(readText(`vectors/${name}`)))]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(counted));
});

describe('README.md', () => {
  test('lists exactly the existing directories in its project layout', () => {
    const rows = rowsOf(sectionOf('README.md', '## Project layout'));
    const listed = rows.flatMap(([first]) => [...first!.matchAll(/`([\w/-]+)\/`/g)].map(match => match[1]!));
    const directories = readdirSync(root, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && /^(?!\.|dist$|node_modules$)/.test(entry.name))
      .map(({ name }) => name);
    expect(listed.sort()).toEqual(directories.sort());
  });

  test('shows the screens that the firmware draws', async () => {
    const drawn = PNG.sync.read(Buffer.from(contactSheet(await transferScreens())));
    const shown = PNG.sync.read(readFileSync(join(root, 'docs/transfer.png')));
    expect([shown.width, shown.height]).toEqual([drawn.width, drawn.height]);
    expect(shown.data.equals(drawn.data)).toBe(true);
  });
});

describe('docs/SEEDS.md', () => {
  test.each([
    ['seeds-new.png', newSeedPages],
    ['seeds-restore.png', restorePages],
  ])('shows the pages that the firmware draws in %s', async (name, pages) => {
    const drawn = PNG.sync.read(Buffer.from(contactSheet(await pages())));
    const shown = PNG.sync.read(readFileSync(join(root, 'docs', name)));
    expect([shown.width, shown.height]).toEqual([drawn.width, drawn.height]);
    expect(shown.data.equals(drawn.data)).toBe(true);
  });
});

test('docs/specimen.png shows the characters that the firmware draws', async () => {
  const drawn = PNG.sync.read(Buffer.from(contactSheet(await specimenScreens())));
  const shown = PNG.sync.read(readFileSync(join(root, 'docs/specimen.png')));
  expect([shown.width, shown.height]).toEqual([drawn.width, drawn.height]);
  expect(shown.data.equals(drawn.data)).toBe(true);
});
