import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { httpRequest } from '../../../testkit/network/http.js';
import { accounts } from '../../../testkit/repository/vectors.js';
import { CONTRASTS, type Contrast } from '../../../testkit/screen/contrasts.js';
import { requestCoins, result } from '../../../testkit/screen/wallet-page.js';
import { WalletScene } from './scene.js';

const SECOND = accounts.cases[1]!.address;
/** Collects the elements that moved without a user's input. */
const OBSERVE = `window.moved = [];
new PerformanceObserver(list => {
  for (const { hadRecentInput, sources } of list.getEntries()) {
    if (!hadRecentInput) moved.push(...sources.map(({ node, previousRect, currentRect }) =>
      [node?.textContent.trim().slice(0, 40), currentRect.x - previousRect.x, currentRect.y - previousRect.y].join(' ')));
  }
}).observe({ type: 'layout-shift', buffered: true });`;
const NAMELESS = /- (button|textbox|combobox|link|img|spinbutton)(:|$)/m;
const PLACES = ['home', 'send', 'receive', 'activity', 'more', 'escrow', 'sign', 'accounts', 'settings'];

let scene: WalletScene;
/** One tab for all tests: a second one would not have the device. */
let page: Page;

beforeAll(async () => {
  scene = await WalletScene.launch();
  await scene.context.addInitScript(OBSERVE);
  page = await scene.openConnected();
  await requestCoins(page);
});

afterAll(() => scene?.close());

async function openPlace(place: string): Promise<void> {
  await page.evaluate(`location.hash = '#/${place}'`);
  await page.locator(`#${place}`).waitFor();
}

test('nothing moves while the wallet page opens, connects and fills its places', async () => {
  for (const width of [1100, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate(width === 390 ? 'moved = []' : '');
    for (const place of PLACES) {
      await openPlace(place);
      await page.waitForTimeout(100);
    }
    expect([width, await page.evaluate('moved')]).toEqual([width, []]);
  }
});

describe('over a slow connection', () => {
  /** Sends the gateway's files, and pauses after each line of the wallet page's header. */
  const slowServer = createServer(async (request, response) => {
    const { headers, body } = await httpRequest('GET', `${scene.devnet.url}${request.url}`);
    response.writeHead(200, headers);
    const [header, rest] = body.toString('latin1').split(/(?<=<\/header>)/);
    for (const line of rest === undefined ? [] : header!.split('\n')) {
      response.write(`${line}\n`, 'latin1');
      await setTimeout(50);
    }
    response.end(rest ?? body, 'latin1');
  });
  beforeAll(() => once(slowServer.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => slowServer.close());

  test.each([1100, 390])('nothing moves while the wallet page arrives, at %d pixels', async width => {
    const tab = await scene.context.newPage();
    await tab.setViewportSize({ width, height: 844 });
    await tab.goto(`http://127.0.0.1:${(slowServer.address() as AddressInfo).port}/wallet/`);
    await tab.locator('#connect').waitFor();
    expect(await tab.evaluate('moved')).toEqual([]);
    await tab.close();
  });
});

describe.each(['light', 'dark'] as const)('in %s', colorScheme => {
  test('every text of every place of the wallet page has a contrast of 4.5 or more', async () => {
    await page.emulateMedia({ colorScheme });
    const low: unknown[] = [];
    let count = 0;
    for (const place of PLACES) {
      await openPlace(place);
      const found = await page.evaluate<Contrast[]>(CONTRASTS);
      count += found.length;
      low.push(...found.filter(({ contrast }) => contrast < 4.5));
    }
    expect(low).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});

test.each([320, 390, 768, 1280])('the wallet page fits a window of %d pixels in every place', async width => {
  await page.setViewportSize({ width, height: 800 });
  for (const place of PLACES) {
    await openPlace(place);
    await page.waitForTimeout(100);
    const widest = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect([place, widest <= width]).toEqual([place, true]);
  }
});

describe('the connect page', () => {
  let windows: Page[];
  beforeAll(async () => {
    windows = [await scene.openAsked(), await scene.openAllowed()];
  });
  afterAll(async () => {
    for (const window of windows ?? []) await window.close();
  });

  test.each(['light', 'dark'] as const)('has a contrast of 4.5 or more in %s', async colorScheme => {
    for (const window of windows) {
      await window.emulateMedia({ colorScheme });
      const found = await window.evaluate<Contrast[]>(CONTRASTS);
      expect(found.filter(({ contrast }) => contrast < 4.5)).toEqual([]);
      expect(found.length).toBeGreaterThan(5);
    }
  });

  test('every control has a name', async () => {
    const trees = windows.map(window => window.locator('body').ariaSnapshot());
    const [asked, allowed] = await Promise.all(trees);
    expect(asked).toContain('- heading "Show this page one of your accounts?"');
    expect(allowed).toContain('- heading "Pages that may ask"');
    expect(`${asked}\n${allowed}`).not.toMatch(NAMELESS);
  });
});

test('the wallet page sends coins with only the keyboard, and reports its progress', async () => {
  await page.setViewportSize({ width: 1100, height: 900 });
  await page.getByRole('navigation').getByRole('link', { name: 'Send' }).focus();
  await page.keyboard.press('Enter');
  // The link has the heading's text, and keeps the focus until the page has opened the place.
  await page.locator('#send-heading:focus').waitFor();
  for (const text of [SECOND, '1']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
  expect(await page.locator('#send-to').inputValue()).toBe(SECOND);
  expect(await page.locator('#send-amount').inputValue()).toBe('1');
  await page.keyboard.press('Enter');
  await page.locator('#task-review').waitFor();
  expect(await page.locator('dialog').getAttribute('open')).not.toBeNull();
  expect(await page.locator(':focus').textContent()).toBe('Cancel');
  await scene.server.emulator.waitForReview();
  await page.keyboard.press('Escape');
  await result(page).locator('.bad', { hasText: 'Cancelled' }).waitFor();
  expect(await page.locator(':focus').textContent()).toBe('Close');
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'hidden' });
  expect(scene.server.emulator.reviewing).toBe(false);
});

test('every control of the wallet page has a name', async () => {
  for (const place of PLACES) {
    await openPlace(place);
    const tree = await page.locator('body').ariaSnapshot();
    expect(tree).toContain('- heading "ZBC wallet" [level=1]');
    expect(tree).toContain('- navigation "Wallet"');
    expect(tree).not.toMatch(NAMELESS);
  }
  expect(await page.locator('#task-step').getAttribute('role')).toBe('status');
  expect(await page.locator('#alarms').getAttribute('role')).toBe('alert');
});
