import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { httpRequest } from '../../../testkit/network/http.js';
import { requestCoins } from '../../../testkit/screen/wallet-page.js';
import { WalletScene } from './scene.js';

/** Collects the elements that moved without a user's input. */
const OBSERVE = `window.moved = [];
new PerformanceObserver(list => {
  for (const { hadRecentInput, sources } of list.getEntries()) {
    if (!hadRecentInput) moved.push(...sources.map(({ node, previousRect, currentRect }) =>
      [node?.textContent.trim().slice(0, 40), currentRect.x - previousRect.x, currentRect.y - previousRect.y].join(' ')));
  }
}).observe({ type: 'layout-shift', buffered: true });`;
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

test.each([320, 768])('the wallet page fits a window of %d pixels in every place', async width => {
  await page.setViewportSize({ width, height: 800 });
  for (const place of PLACES) {
    await openPlace(place);
    await page.waitForTimeout(100);
    const widest = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect([place, widest <= width]).toEqual([place, true]);
  }
});
