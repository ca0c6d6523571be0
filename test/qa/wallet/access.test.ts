import type { Browser, Page } from 'playwright-core';
import { accounts } from '../../../testkit/repository/vectors.js';
import { CONTRASTS, type Contrast } from '../../../testkit/screen/contrasts.js';
import { requestCoins, result } from '../../../testkit/screen/wallet-page.js';
import { launchChromium } from '../../../tools/chromium.js';
import { WalletScene } from './scene.js';

const SECOND = accounts.cases[1]!.address;
/** Collects what moved without a user's input. */
const OBSERVE = `window.moved = [];
new PerformanceObserver(list => {
  for (const { hadRecentInput, sources } of list.getEntries()) {
    if (!hadRecentInput) moved.push(...sources.map(({ node, previousRect, currentRect }) =>
      [node?.textContent.trim().slice(0, 40), currentRect.x - previousRect.x, currentRect.y - previousRect.y].join(' ')));
  }
}).observe({ type: 'layout-shift', buffered: true });`;
const PLACES = ['home', 'send', 'receive', 'activity', 'more', 'escrow', 'sign', 'accounts', 'settings'];

let browser: Browser;
let scene: WalletScene;
/** One tab for all tests: a second one would not have the device. */
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  scene = await WalletScene.open(browser);
  await scene.context.addInitScript(OBSERVE);
  page = await scene.openConnected();
  await requestCoins(page);
});

afterAll(async () => {
  await scene?.close();
  await browser?.close();
});

async function openPlace(place: string): Promise<void> {
  await page.evaluate(`location.hash = '#/${place}'`);
  await page.locator(`#${place}`).waitFor();
}

it('moves nothing while it opens, connects and fills its places', async () => {
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

describe.each(['light', 'dark'] as const)('in %s', colorScheme => {
  it('every text of every place has a contrast of 4.5 or more', async () => {
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

it.each([320, 390, 768, 1280])('fits a window of %d pixels in every place', async width => {
  await page.setViewportSize({ width, height: 800 });
  for (const place of PLACES) {
    await openPlace(place);
    await page.waitForTimeout(100);
    const widest = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect([place, widest <= width]).toEqual([place, true]);
  }
});

it('sends coins by keyboard alone, and says what goes on', async () => {
  await page.setViewportSize({ width: 1100, height: 900 });
  await page.getByRole('navigation').getByRole('link', { name: 'Send' }).focus();
  await page.keyboard.press('Enter');
  expect(await page.locator(':focus').textContent()).toBe('Send');
  for (const text of [SECOND, '', '1']) {
    await page.keyboard.press('Tab');
    if (text !== '') await page.keyboard.type(text);
  }
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

it('names everything that can be used', async () => {
  for (const place of PLACES) {
    await openPlace(place);
    const tree = await page.locator('body').ariaSnapshot();
    expect(tree).toContain('- heading "ZBC wallet" [level=1]');
    expect(tree).toContain('- navigation "Wallet"');
    expect(tree).not.toMatch(/- (button|textbox|combobox|link|img|spinbutton)(:|$)/m);
  }
  expect(await page.locator('#task-step').getAttribute('role')).toBe('status');
  expect(await page.locator('#alarms').getAttribute('role')).toBe('alert');
});
