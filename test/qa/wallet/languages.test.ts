import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { accounts } from '../../../testkit/repository/vectors.js';
import { shownItems } from '../../../testkit/screen/wallet-page.js';
import { BROWSER_BUNDLE } from '../../../tools/build/browser-files.js';
import { WalletScene } from './scene.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const MESSAGES: string[] = JSON.parse(readFileSync(`${root}wallet/page/messages.json`, 'utf8'));
const PLACES = ['home', 'send', 'receive', 'activity', 'more', 'escrow', 'sign', 'accounts', 'settings'];
const SECOND = accounts.cases[1]!.address;

let scene: WalletScene;
let page: Page;

beforeAll(async () => {
  scene = await WalletScene.launch({ context: { locale: 'de-DE' } });
  await translate(scene.url, 'wallet/page/main.ts');
  await translate(`${scene.devnet.url}/connect/`, 'wallet/page/connect/main.ts');
  page = await scene.openTab();
});

afterAll(() => scene?.close());

/** A language in which every word is 1.4 times as long as in English. */
function lengthen(message: string): string {
  return message.replace(/\p{L}+/gu, word => word + 'ÿ'.repeat(Math.ceil(word.length * 0.4)));
}

/** Serves the page with a script whose messages are the longer ones. */
async function translate(url: string, entryPoint: string): Promise<void> {
  const catalogue = Object.fromEntries(MESSAGES.map(message => [message, lengthen(message)]));
  const contents = `export const CATALOGUE = ${JSON.stringify(catalogue)};`;
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    write: false,
    ...BROWSER_BUNDLE,
    plugins: [
      {
        name: 'catalogue',
        setup: ({ onLoad }) => onLoad({ filter: /page\/catalogue\.ts$/ }, () => ({ contents })),
      },
    ],
  });
  const script = outputFiles[0]!.text;
  await scene.context.route(url, async route => {
    const html = await (await route.fetch()).text();
    const body = html.replace(/(<script type="module">)[\s\S]*(?=<\/script>)/, (_, tag) => tag + script);
    await route.fulfill({ contentType: 'text/html', body });
  });
}

/**
 * The page's visible texts that are not translated, without those of the device, and controls with cut-off
 * text.
 */
async function faults(of = page): Promise<string[]> {
  return of.evaluate<string[]>(`(() => {
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

test('every text of the wallet page is in the language of the catalogue, and none is cut off', async () => {
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

test('the remedy for an error of the library is in that language', async () => {
  await page.route('**/api/v1/**', route => route.fulfill({ status: 503, body: '{"error":"busy"}' }));
  await page.locator('#alarms', { hasText: lengthen('Wait, or use another gateway.') }).waitFor();
  await page.unroute('**/api/v1/**');
});

test('numbers are written and read as the browser does, and the review is shown as the device shows it', async () => {
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

test('every text of the connect page is in that language, and none is cut off', async () => {
  for (const window of [await scene.openAsked(), await scene.openAllowed()]) {
    for (const width of [320, 1280]) {
      await window.setViewportSize({ width, height: 800 });
      expect([width, await faults(window)]).toEqual([width, []]);
    }
    await window.close();
  }
});
