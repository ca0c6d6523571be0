import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import '@zbc-signer/emulator/jest';
import { Emulator, parseTrace, type RecordedStep, TraceFile } from '@zbc-signer/emulator';
import type { Page } from 'playwright-core';
import { send, signTransaction } from '../../../testkit/device/apdu.js';
import { CONFIRM_ADDRESS } from '../../../testkit/device/confirmed-account.js';
import { payment } from '../../../testkit/device/payment.js';
import { runCli } from '../../../testkit/process/cli.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { chromiumOfFile } from '../chromium-of-file.js';

const browser = chromiumOfFile();
let page: Page;
const directory = openTestDirectory();
/** The trace of a failed expectation. */
let failed: string;
let steps: readonly RecordedStep[];
/** Complaints and requests of the browser. */
const complaints: string[] = [];
const requests: string[] = [];

beforeAll(async () => {
  const [file, html] = [join(directory, 'a.trace'), join(directory, 'a.html')];
  process.env.ZBC_SIGNER_TRACE_DIRECTORY = directory;
  const emulator = await Emulator.start();
  const trace = new TraceFile(emulator, file).open();
  const signed = send(apdu => emulator.exchange(apdu), signTransaction(payment));
  await emulator.approve();
  await signed;
  const failing = await Emulator.start();
  const confirmed = failing.exchange(CONFIRM_ADDRESS);
  await failing.approve();
  await confirmed;
  expect(() => expect(failing).toShow(['Menu'])).toThrow('the screen differs');
  failed = failing.keepTrace()!;
  delete process.env.ZBC_SIGNER_TRACE_DIRECTORY;
  for (const one of [emulator, failing]) one.stop();
  trace.close();
  ({ steps } = parseTrace(readFileSync(file, 'utf8')));
  expect(await runCli(['trace', 'open', file, '--html', html])).toMatchObject({ code: 0 });
  page = await (await browser().newContext({ offline: true })).newPage();
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  page.on('request', request => requests.push(request.url()));
  await page.goto(pathToFileURL(html).href);
});

const shows = (step: number, text: string) =>
  page
    .locator('main', { has: page.getByText(`Step ${step} of `) })
    .locator('#texts')
    .filter({ hasText: text })
    .waitFor();

const picture = () => page.locator('#screen').screenshot();

test('the page can be stepped, scrubbed and searched by keyboard and mouse, without a network', async () => {
  await shows(0, 'is ready');
  const before = await picture();
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
  await shows(4, 'Amount');
  expect((await picture()).equals(before)).toBe(false);
  await page.keyboard.press('ArrowLeft');
  await shows(3, 'Type');
  await page.getByLabel('Search').fill('fee');
  await page.keyboard.press('Enter');
  await shows(6, 'Fee');
  await page.keyboard.press('Escape');
  await page.keyboard.press('End');
  await shows(10, 'is ready');
  await page.locator('#reply').filter({ hasText: '9000 OK: signed, transaction hash' }).waitFor();
  await page.locator('#list li', { hasText: 'press right' }).first().click();
  await shows(3, 'Type');
  const box = (await page.locator('#strip').boundingBox())!;
  await page.mouse.move(box.x + 1, box.y + box.height / 2);
  await page.mouse.down();
  await shows(0, 'is ready');
  await page.mouse.move(box.x + box.width, box.y + box.height / 2, { steps: 3 });
  await shows(steps.length, 'is ready');
  // The time line is proportional to time, so the last press is at the end.
  const { atMs, tookMs } = steps.at(-1)!;
  const left = await page.evaluate<string>("document.querySelector('#cursor').style.left");
  expect(Number.parseFloat(left)).toBeCloseTo((100 * atMs) / (atMs + tookMs), 1);
  await page.mouse.up();
  await page.locator('#film button').nth(3).click();
  await shows(4, 'Amount');
  expect(complaints).toEqual([]);
  expect(requests.filter(url => !url.startsWith('file:'))).toEqual([]);
});

test('the page of a failed test opens at the failed step, with the expectation', async () => {
  const html = join(directory, 'failed.html');
  expect(await runCli(['trace', 'open', failed, '--html', html])).toMatchObject({ code: 0 });
  await page.goto(pathToFileURL(html).href);
  expect(await page.title()).toMatch(/^Failed: .*trace\.test\.[jt]s/);
  await shows(3, 'is ready');
  await page.locator('#beside', { hasText: /Menu.*Expected.*Shown at step 3/s }).waitFor();
  await page.locator('#film .differs').waitFor();
  expect(complaints).toEqual([]);
});

test('the policy of the page lets no other script run', async () => {
  const added = page.evaluate(
    'document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = 1" }))',
  );
  await added.catch(() => undefined);
  expect(await page.evaluate('window.ran')).toBeUndefined();
});
