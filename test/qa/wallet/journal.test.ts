import type { Page, Route } from 'playwright-core';
import { accounts } from '../../../testkit/repository/vectors.js';
import {
  closeTask,
  fillTransfer,
  openPlace,
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

const sees = (tab: Page, selector: string, text: string | RegExp) =>
  tab.locator(selector, { hasText: text }).waitFor();
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

describe('two tabs', () => {
  test('the second reports that the first has the signer, and takes it over only when the user asks', async () => {
    const second = await scene.openTab();
    await sees(second, '#elsewhere', 'The signer is in use in another tab');
    for (const other of ['#wallet', '#connect']) expect(await second.locator(other).isVisible()).toBe(false);
    await second.getByRole('button', { name: 'Use it here' }).click();
    await second.locator('#wallet').waitFor();
    await sees(page, '#elsewhere', 'The signer is in use in another tab');
    await sees(page, '#device-chip', 'Signer in another tab');
    await fillTransfer(page, SECOND, '1');
    await pressReview(page);
    await sees(page, '#task-result', 'another tab of this browser uses the device');
    expect(scene.server.emulator.reviewing).toBe(false);
    await closeTask(page);
    await page.getByRole('button', { name: 'Use it here' }).click();
    await page.locator('#elsewhere').waitFor({ state: 'hidden' });
  });

  test('a review is not interrupted: the device changes tabs after the user has decided', async () => {
    await beginTransfer(page, '1');
    const second = await scene.openTab();
    await second.getByRole('button', { name: 'Use it here' }).click();
    await sees(second, '#elsewhere-text', 'Asked the other tab');
    await second.waitForTimeout(2500);
    expect(scene.server.emulator.reviewing).toBe(true);
    await scene.server.emulator.approve();
    await result(page).locator('.good', { hasText: 'Confirmed' }).waitFor();
    await second.locator('#wallet').waitFor();
    expect(await received()).toBe(100_000_000n);
  });

  test('once the first is closed, the second uses the device without being asked', async () => {
    const second = await scene.openTab();
    await sees(second, '#elsewhere', 'in use in another tab');
    await page.close();
    await second.locator('#wallet').waitFor();
    expect(await second.locator('#elsewhere').isVisible()).toBe(false);
  });
});

describe('a reload', () => {
  test('opens the same device again without asking the user', async () => {
    await page.reload();
    await page.locator('#wallet').waitFor();
    await sees(page, '#device-chip', 'Signer connected');
  });

  test('during a review shows that a review is open, and never signs again', async () => {
    await beginTransfer(page, '1');
    await page.reload();
    await sees(page, '#left-open-text', "“Send 1 ZBC” is still on the device's screen");
    await sees(page, '#device-chip', 'Review on the device');
    await scene.server.emulator.approve();
    await sees(page, '#left-open-text', '“Send 1 ZBC” ended while this page was reloaded');
    await page.locator('#wallet').waitFor();
    await page.getByRole('button', { name: 'Understood' }).click();
    await page.locator('#left-open').waitFor({ state: 'hidden' });
    await page.waitForTimeout(1500);
    expect(scene.server.emulator.reviewing).toBe(false);
    expect(await received()).toBe(0n);
    await page.reload();
    await page.locator('#wallet').waitFor();
    expect(await page.locator('#left-open').isVisible()).toBe(false);
  });

  test('in another tab shows which review was left open', async () => {
    await beginTransfer(page, '1');
    const second = await scene.openTab();
    await second.getByRole('button', { name: 'Use it here' }).waitFor();
    await page.close();
    await sees(second, '#left-open-text', '“Send 1 ZBC” is still on the device');
    await scene.server.emulator.reject();
    await second.locator('#wallet').waitFor();
  });
});

describe('the cable', () => {
  test('unplugged during a review: nothing is sent, the page says so, and works again when it is plugged in', async () => {
    await beginTransfer(page, '1');
    await scene.hid.unplug();
    await sees(page, '#task-result', 'The signer was disconnected. Nothing was sent.');
    await closeTask(page);
    await scene.hid.plug();
    await sees(page, '#device-chip', 'Signer connected');
    expect(scene.server.emulator.reviewing).toBe(false);
    await beginTransfer(page, '2');
    await scene.server.emulator.approve();
    await result(page).locator('.good', { hasText: 'Confirmed' }).waitFor();
    expect(await received()).toBe(200_000_000n);
  });

  test('unplugged and plugged in while idle: the page notices both', async () => {
    await scene.hid.unplug();
    await sees(page, '#device-chip', 'disconnected');
    await scene.hid.plug();
    await sees(page, '#device-chip', 'Signer connected');
  });

  test('unplugged before a visit: the page shows the accounts that are watched, and how to connect', async () => {
    await openPlace(page, 'Accounts');
    await page.getByLabel('Show these accounts in this browser without the signer').check();
    await scene.hid.unplug();
    await page.reload();
    await sees(page, '#away', 'The signer is not connected');
    await openPlace(page, 'Home');
    await sees(page, '#balance', '100 ZBC');
    await fillTransfer(page, SECOND, '1');
    await pressReview(page);
    await result(page).locator('.bad', { hasText: 'Connect the signer first' }).waitFor();
    await closeTask(page);
    await page.getByRole('button', { name: 'Connect the signer' }).click();
    await page.getByRole('button', { name: 'Connect over USB' }).waitFor();
    await scene.hid.plug();
    await sees(page, '#device-chip', 'Signer connected');
    expect(await page.locator('#away').isVisible()).toBe(false);
  });
});
