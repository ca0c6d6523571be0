import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Emulator, TraceFile } from '@zbc-signer/emulator';
import type { Browser, Page } from 'playwright-core';
import { send, signTransaction } from '../../../testkit/device/apdu.js';
import { payment } from '../../../testkit/device/payment.js';
import { runCli } from '../../../testkit/process/cli.js';
import { launchChromium } from '../../../tools/chromium.js';

let browser: Browser;
let page: Page;
let directory: string;
/** What the browser complained of, and what it asked for. */
const complaints: string[] = [];
const requests: string[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'trace-page-'));
  const [file, html] = [join(directory, 'a.trace'), join(directory, 'a.html')];
  const emulator = await Emulator.start();
  const trace = new TraceFile(emulator, file);
  const signed = send(apdu => emulator.exchange(apdu), signTransaction(payment));
  await emulator.approve();
  await signed;
  emulator.stop();
  trace.close();
  expect(await runCli(['trace', 'open', file, '--html', html])).toMatchObject({ code: 0 });
  browser = await launchChromium();
  page = await (await browser.newContext({ offline: true })).newPage();
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  page.on('request', request => requests.push(request.url()));
  await page.goto(pathToFileURL(html).href);
});
afterAll(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true });
});

const shows = (step: number, text: string) =>
  page
    .locator('main', { has: page.getByText(`Step ${step} of `) })
    .locator('#texts')
    .filter({ hasText: text })
    .waitFor();

const picture = () => page.locator('#screen').screenshot();

test('the page steps, scrubs and searches by keyboard and mouse, without a network', async () => {
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
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
  await shows(5, 'Recipient');
  await page.mouse.up();
  expect(complaints).toEqual([]);
  expect(requests.filter(url => !url.startsWith('file:'))).toEqual([]);
});

test('its policy lets no other script run', async () => {
  const added = page.evaluate(
    'document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = 1" }))',
  );
  await added.catch(() => undefined);
  expect(await page.evaluate('window.ran')).toBeUndefined();
});
