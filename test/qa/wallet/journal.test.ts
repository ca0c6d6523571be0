import type { Page, Route } from 'playwright-core';
import { accounts } from '../../../testkit/repository/vectors.js';
import {
  closeTask,
  fillTransfer,
  pressReview,
  requestCoins,
  result,
  shownItems,
} from '../../../testkit/screen/wallet-page.js';
import { until } from '../../../testkit/time/until.js';
import { chromiumOfFile } from '../chromium-of-file.js';
import { WalletScene } from './scene.js';

const SECOND = accounts.cases[1]!.address;
const BROADCASTS = '**/api/v1/transactions';

const browser = chromiumOfFile();
let scene: WalletScene;
let page: Page;

beforeEach(async () => {
  scene = await WalletScene.open(browser());
  page = await scene.openOverHid();
  await requestCoins(page);
});
afterEach(async () => {
  expect(scene.complaints).toEqual([]);
  await scene.close();
});

const received = () => scene.balanceOf(SECOND);

async function beginTransfer(tab: Page, amount: string): Promise<void> {
  await fillTransfer(tab, SECOND, amount);
  await pressReview(tab);
  await shownItems(tab);
  await scene.server.emulator.waitForReview();
}

/** Runs `act` instead of each broadcast of the first tab; the result counts the broadcasts of all tabs. */
async function insteadOfBroadcast(act: (route: Route) => Promise<unknown>): Promise<() => number> {
  let broadcasts = 0;
  scene.context.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/api/v1/transactions')) broadcasts += 1;
  });
  await page.route(BROADCASTS, route =>
    route.request().method() === 'POST' ? act(route) : route.continue(),
  );
  return () => broadcasts;
}

/** Kills the tab at its first broadcast, before a byte of it is sent. */
const killUnposted = async (route: Route) => {
  await route.abort();
  await page.close();
};

const listed = (tab: Page, text: string | RegExp) => tab.locator('#unsettled li', { hasText: text });

describe('a tab that is killed after the approval', () => {
  test.each([
    ['before the gateway has the POST', false],
    ['after the gateway has the POST', true],
  ])('%s: the next visit makes the payment once, and reports it', async (_when, isPosted) => {
    const broadcasts = await insteadOfBroadcast(async route => {
      await (isPosted ? route.fetch() : route.abort());
      await page.close();
    });
    await beginTransfer(page, '0.25');
    await scene.server.emulator.approve();
    await until(() => page.isClosed());

    const next = await scene.openTab();
    await listed(next, /It was made/)
      .filter({ hasText: '0.25 ZBC' })
      .waitFor();
    expect(broadcasts()).toBe(isPosted ? 1 : 2);
    expect(await received()).toBe(25_000_000n);
    await next.getByRole('button', { name: 'Understood' }).click();
    await next.locator('#unsettled').waitFor({ state: 'hidden' });
    await next.reload();
    await next.locator('#network-chip', { hasText: 'ZBC Devnet' }).waitFor();
    await next.waitForTimeout(500);
    expect(await next.locator('#unsettled').isVisible()).toBe(false);
    expect(broadcasts()).toBe(isPosted ? 1 : 2);
  });
});

test('a payment that cannot be looked up is shown as unknown, and settled when the user asks again', async () => {
  await insteadOfBroadcast(killUnposted);
  await beginTransfer(page, '0.25');
  await scene.server.emulator.approve();
  await until(() => page.isClosed());
  const refuse = (route: Route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, body: '{"success":false,"error":"fee too low","code":400}' })
      : route.continue();
  const next = await scene.context.newPage();
  await next.route(BROADCASTS, refuse);
  await next.goto(scene.url);
  await listed(next, 'Whether it was made is not known yet').filter({ hasText: 'fee too low' }).waitFor();
  expect(await received()).toBe(0n);
  await next.unroute(BROADCASTS, refuse);
  await next.getByRole('button', { name: 'Check and send' }).click();
  await listed(next, /It was made/).waitFor();
  expect(await received()).toBe(25_000_000n);
});

test('a second tab does not touch a payment that the first tab is sending', async () => {
  let goOn = () => {};
  const held = new Promise<void>(resolve => {
    goOn = resolve;
  });
  const broadcasts = await insteadOfBroadcast(async route => {
    await held;
    await route.continue();
  });
  await beginTransfer(page, '0.25');
  await scene.server.emulator.approve();
  await until(() => broadcasts() === 1);
  const second = await scene.openTab();
  await second.locator('#network-chip', { hasText: 'ZBC Devnet' }).waitFor();
  await second.waitForTimeout(1000);
  expect(await second.locator('#unsettled').isVisible()).toBe(false);
  expect(broadcasts()).toBe(1);
  goOn();
  await result(page).locator('.good', { hasText: 'Confirmed' }).waitFor();
  expect(await received()).toBe(25_000_000n);
  expect(broadcasts()).toBe(1);
});

describe('IndexedDB', () => {
  // Each script runs in the page, once the page is connected.
  test.each([
    [
      'is full',
      `IDBObjectStore.prototype.put = () => { throw new DOMException('no room', 'QuotaExceededError'); }`,
    ],
    ['fails', `IDBFactory.prototype.open = () => { throw new DOMException('denied', 'SecurityError'); }`],
    ['does not answer', `IDBFactory.prototype.open = () => ({})`],
    [
      'is blocked by another tab',
      `IDBFactory.prototype.open = () => {
        const request = {};
        setTimeout(() => request.onblocked());
        return request;
      }`,
    ],
  ])('that %s after the review began: nothing is sent, and the page reports that', async (_what, script) => {
    const broadcasts = await insteadOfBroadcast(route => route.continue());
    await beginTransfer(page, '0.25');
    await page.evaluate(script);
    await scene.server.emulator.approve();
    await result(page)
      .locator('.bad', { hasText: /sent nothing|nothing was sent/i })
      .waitFor();
    await closeTask(page);
    expect(broadcasts()).toBe(0);

    await pressReview(page);
    await result(page)
      .locator('.bad', { hasText: /sent nothing|nothing was sent/i })
      .waitFor();
    expect(scene.server.emulator.reviewing).toBe(false);
    expect(broadcasts()).toBe(0);
    expect(await received()).toBe(0n);
  });
});
