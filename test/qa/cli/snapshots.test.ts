import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { type CliProcess, runCli, startCli, untilSaid } from '../../../testkit/process/cli.js';
import { PROGRAM } from '../../../testkit/process/program.js';
import { CHANGED, screenPng, writeFiles } from '../../../testkit/screen/changed-snapshots.js';
import { chromiumOfFile } from '../chromium-of-file.js';

const PHONE = { viewport: { width: 360, height: 740 } };

const browser = chromiumOfFile();
let directory: string;
let complaints: string[];

beforeEach(() => {
  complaints = [];
  directory = mkdtempSync(join(tmpdir(), 'snapshots-page-'));
  writeFiles(directory, { ...CHANGED, "it's $(touch x)-failed/00000.png": screenPng() });
});
afterEach(() => rmSync(directory, { recursive: true }));

async function openPage(url: string, options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser().newContext(options)).newPage();
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  await page.goto(url);
  return page;
}

const current = (page: Page) => page.locator('article[aria-current] h2').textContent();
const pixelsOf = (name: string) => PNG.sync.read(readFileSync(join(directory, name))).data;

test('the file works offline, with keyboard and search, and its command approves the chosen snapshots', async () => {
  const file = join(directory, 'differences.html');
  expect((await runCli(['snapshots', 'list', directory, '--html', file])).code).toBe(16);
  const page = await openPage(pathToFileURL(file).href, { offline: true, ...PHONE });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.keyboard.press('j');
  expect(await current(page)).toContain("it's $(touch x)/00000.png");
  await page.keyboard.press('a');
  await page.keyboard.press('/');
  await page.keyboard.type('amount');
  await page.getByText('1 of 5').waitFor();
  await page.keyboard.press('Enter');
  expect(await current(page)).toContain('shots/send/00001.png');
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  await page.getByRole('button', { name: 'Approve all' }).click();
  const words = (await page.locator('#words').textContent())!;
  expect(words).toMatch(
    /^npx zbc-signer snapshots approve \\\n {2}'.*\/it'\\''s \$\(touch x\)\/00000\.png#[0-9a-f]{16}' \\\n/,
  );
  const typed = `${words.replace('npx zbc-signer', 'node "$PROGRAM"')} --directory "$DIRECTORY"`;
  const env = { PATH: process.env.PATH ?? '', PROGRAM, DIRECTORY: directory };
  const { status, stdout } = spawnSync('sh', ['-c', typed], { env, encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('2 approved.')]);
  expect(pixelsOf("it's $(touch x)/00000.png")).toEqual(PNG.sync.read(screenPng()).data);
  expect(pixelsOf('shots/send/00001.png')).toEqual(PNG.sync.read(screenPng([1, 1], [2, 2])).data);
  expect(complaints).toEqual([]);
});

test('the served page writes approved snapshots, one or all of them', async () => {
  const review: CliProcess = startCli(['snapshots', 'review', directory, '--json']);
  try {
    await untilSaid(review, 'stdout', '\n');
    const { url } = JSON.parse(review.output.stdout) as { url: string };
    const page = await openPage(url, {});
    expect(page.url()).not.toContain('#');
    const first = page.locator('article', { hasText: 'Amount / 2 ZBC' });
    await first.getByRole('button', { name: 'Approve' }).click();
    await first.getByText('Approved').waitFor();
    expect(pixelsOf('shots/send/00001.png')).toEqual(PNG.sync.read(screenPng([1, 1], [2, 2])).data);
    expect(readdirSync(join(directory, 'shots/send'))).toContain('00003.png');
    await page.reload();
    await page.getByRole('button', { name: 'Approve all' }).click();
    await page.locator('article.approved').nth(3).waitFor();
    expect(readdirSync(join(directory, 'shots'))).toEqual(['send']);
    expect(complaints).toEqual([]);
  } finally {
    review.child.kill('SIGKILL');
    await review.done;
  }
});
