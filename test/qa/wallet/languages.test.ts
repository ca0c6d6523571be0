import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { accounts } from '../../../testkit/repository/vectors.js';
import { shownItems } from '../../../testkit/screen/wallet-page.js';
import { BROWSER_BUNDLE } from '../../../tools/build/browser-files.js';
import { launchChromium } from '../../../tools/chromium.js';
import { WalletScene } from './scene.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const MESSAGES: string[] = JSON.parse(readFileSync(`${root}wallet/page/messages.json`, 'utf8'));
const PLACES = ['home', 'send', 'receive', 'activity', 'more', 'escrow', 'sign', 'accounts', 'settings'];
const SECOND = accounts.cases[1]!.address;

let browser: Browser;
let scene: WalletScene;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  scene = await WalletScene.open(browser, { context: { locale: 'de-DE' } });
  const script = await bundle(Object.fromEntries(MESSAGES.map(message => [message, lengthen(message)])));
  await scene.context.route(scene.url, async route => {
    const html = await (await route.fetch()).text();
    const body = html.replace(/(<script type="module">)[\s\S]*(?=<\/script>)/, (_, tag) => tag + script);
    await route.fulfill({ contentType: 'text/html', body });
  });
  page = await scene.openTab();
});

afterAll(async () => {
  await scene?.close();
  await browser?.close();
});

/** A language in which every word is 1.4 times as long as in English. */
function lengthen(message: string): string {
  return message.replace(/\p{L}+/gu, word => word + 'ÿ'.repeat(Math.ceil(word.length * 0.4)));
}

/** The script of the page with another catalogue. */
async function bundle(catalogue: Record<string, string>): Promise<string> {
  const contents = `export const CATALOGUE = ${JSON.stringify(catalogue)};`;
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['wallet/page/main.ts'],
    write: false,
    ...BROWSER_BUNDLE,
    plugins: [
      {
        name: 'catalogue',
        setup: ({ onLoad }) => onLoad({ filter: /page\/catalogue\.ts$/ }, () => ({ contents })),
      },
    ],
  });
  return outputFiles[0]!.text;
}

/** The visible texts of the page that are English still, but for the device's, and controls whose text is cut off. */
async function faults(): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const english = new Set(${JSON.stringify(MESSAGES)});
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const text = walker.currentNode.data.trim();
      const parent = walker.currentNode.parentElement;
      if (english.has(text) && parent.checkVisibility() && !parent.closest('#task-items')) found.push('English: ' + text);
    }
    for (const control of document.querySelectorAll(':is(button, nav a, .button, label, h2, h3, .chip):not(.visually-hidden)')) {
      if (control.checkVisibility() && control.scrollWidth > control.clientWidth + 1) found.push('cut: ' + control.textContent);
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push('wider than the window');
    return found;
  })()`);
}

it('says all in the language of the catalogue, and breaks nowhere', async () => {
  expect(await faults()).toEqual([]);
  await page.getByRole('button', { name: lengthen('Connect over USB') }).click();
  await page.locator('#wallet').waitFor();
  await page.locator('#faucet').click();
  await page.locator('#faucet-result', { hasText: lengthen('Received') }).waitFor();
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const place of PLACES) {
      await page.evaluate(`location.hash = '#/${place}'`);
      await page.locator(`#${place}`).waitFor();
      await page.waitForTimeout(100);
      expect([width, place, await faults()]).toEqual([width, place, []]);
    }
  }
});

it('says in that language what to do about an error of the library', async () => {
  await page.route('**/api/v1/**', route => route.fulfill({ status: 503, body: '{"error":"busy"}' }));
  await page.locator('#alarms', { hasText: lengthen('Wait, or use another gateway.') }).waitFor();
  await page.unroute('**/api/v1/**');
});

it('writes and reads numbers as the browser does, and shows the review as the device does', async () => {
  await page.evaluate(`location.hash = '#/send'`);
  await page.locator('#send-to').fill(SECOND);
  await page.locator('#send-amount').fill('1,5');
  await page.locator('#send-sum', { hasText: '1,525 ZBC' }).waitFor();
  await page.locator('#send-form .primary').click();
  const items = await shownItems(page);
  expect(items).toEqual(await scene.server.emulator.review());
  expect(items).toContainEqual(['Amount', '1.5 ZBC']);
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await faults()).toEqual([]);
  }
  await scene.server.emulator.reject();
  await page.locator('#task-result .bad', { hasText: lengthen('rejected') }).waitFor();
  expect(scene.complaints).toEqual([]);
});
