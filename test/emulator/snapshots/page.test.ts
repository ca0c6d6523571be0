import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSnapshotChanges, renderSnapshotPage } from '@zbc-signer/emulator/snapshots';
import { PNG } from 'pngjs';
import { CHANGED, screenPng, writeFiles } from '../../../testkit/screen/changed-snapshots.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'page-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

async function render(files: Readonly<Record<string, string | Uint8Array>>, served = false): Promise<string> {
  writeFiles(directory, files);
  const { changes, leftOut } = await findSnapshotChanges(directory);
  return renderSnapshotPage(changes, { leftOut, served });
}

test('each change has its pictures: before, after and difference', async () => {
  const page = await render(CHANGED);
  expect(page).toContain('<title>4 changed snapshots</title>');
  expect(page).toContain('changed, 1 of 8192 pixels');
  const [, ...articles] = page.split('<article');
  expect(articles.map(article => article.match(/<img /g)?.length)).toEqual([3, 1, 1, 3]);
  const shown = [...articles[0]!.matchAll(/base64,([^"]+)"/g)].map(([, png]) => Buffer.from(png!, 'base64'));
  expect(PNG.sync.read(shown[0]!).data).toEqual(PNG.sync.read(screenPng([1, 1])).data);
  expect(PNG.sync.read(shown[1]!).data).toEqual(PNG.sync.read(screenPng([1, 1], [2, 2])).data);
  const difference = PNG.sync.read(shown[2]!).data;
  expect(difference.readUIntBE(4 * (2 * 128 + 2), 3)).toBe(0xff2020);
  expect(difference.filter((_, at) => at % 4 === 0 && difference[at] === 0xff)).toHaveLength(1);
});

test('the policy of the page is strict, and only a served page may send requests', async () => {
  const page = await render(CHANGED);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; /);
  expect(policy).toContain("require-trusted-types-for 'script'; img-src data:");
  expect(policy).not.toContain('connect-src');
  expect(await render(CHANGED, true)).toContain("img-src data:; connect-src 'self'");
});

test('names and facts from untrusted files are shown as text', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  const page = await render({
    [`${hostile.replace('/', '')}-failed/00000.png`]: screenPng(),
    [`${hostile.replace('/', '')}-failed/failure.json`]: JSON.stringify({
      test: '</script><script>alert(1)</script>',
      trace: '\u202e\u001b[2J"><b>',
      texts: { '00000.png': hostile },
    }),
  });
  expect(page).not.toContain('<img src=x');
  expect(page).not.toContain('\u202e');
  expect(page).not.toContain('\u001b');
  // The path must be one shell word after pasting.
  expect(page).toContain('zbc-signer trace open &#39;');
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
});
