import type { Page } from 'playwright-core';
import { accounts } from '../../../testkit/repository/vectors.js';
import {
  closeTask,
  fillTransfer,
  openWays,
  pressReview,
  requestCoins,
  result,
  shownItems,
} from '../../../testkit/screen/wallet-page.js';
import { until } from '../../../testkit/time/until.js';
import { chromiumOfFile } from '../chromium-of-file.js';
import { BridgeProcess } from './bridge-process.js';
import { launchFirefox } from './firefox.js';
import { WalletScene } from './scene.js';

const SECOND = accounts.cases[1]!.address;

const browser = chromiumOfFile('foreign.test');
let scene: WalletScene;
let bridge: BridgeProcess;

beforeEach(async () => {
  scene = await WalletScene.open(browser());
  bridge = await BridgeProcess.start(scene.server.api, scene.devnet.url);
});
afterEach(async () => {
  await bridge.stop();
  await scene.close();
});

const received = () => scene.balanceOf(SECOND);

/** Presses the button, and returns the code that page and terminal show. */
async function ask(page: Page): Promise<string> {
  await openWays(page);
  await page.getByRole('button', { name: 'Connect to the bridge' }).click();
  const code = await bridge.asked();
  await page.locator('#bridge-code', { hasText: `code ${code}` }).waitFor();
  return code;
}

describe('in Chromium', () => {
  test('a page that the user allows in the terminal can send coins', async () => {
    const page = await scene.openTab();
    expect(await ask(page)).toMatch(/^\d{4}$/);
    bridge.answer('y');
    await page.locator('#wallet').waitFor();
    await requestCoins(page);
    await fillTransfer(page, SECOND, '1');
    await pressReview(page);
    expect(await shownItems(page)).toEqual(await scene.server.emulator.review());
    await scene.server.emulator.approve();
    await result(page).locator('.good', { hasText: 'Confirmed' }).waitFor();
    expect(await received()).toBe(100_000_000n);
    await closeTask(page);
    await page.reload();
    await page.locator('#wallet').waitFor();
  });

  test('a page that the user refuses gets no access', async () => {
    const page = await scene.openTab();
    await ask(page);
    bridge.answer('n');
    await page.locator('#connect-result', { hasText: 'refused this page in the terminal' }).waitFor();
    expect(await page.locator('#wallet').isVisible()).toBe(false);
  });

  test('a reload during a review ends the review, and does not sign again', async () => {
    const page = await scene.openTab();
    await ask(page);
    bridge.answer('y');
    await requestCoins(page);
    await fillTransfer(page, SECOND, '1');
    await pressReview(page);
    await scene.server.emulator.waitForReview();
    await page.reload();
    await page.locator('#left-open-text', { hasText: 'ended while this page was reloaded' }).waitFor();
    expect(scene.server.emulator.reviewing).toBe(false);
    await page.locator('#wallet').waitFor();
    expect(await received()).toBe(0n);
  });

  test('a foreign page cannot detect the bridge', async () => {
    const page = await scene.context.newPage();
    const url = new URL(scene.url);
    url.hostname = 'foreign.test';
    // The gateway's refusal is a page of that origin too.
    await page.goto(url.href);
    for (const mode of ['cors', 'no-cors']) {
      const attempt = `fetch('http://127.0.0.1:8886/pair', { method: 'POST', mode: '${mode}', body: '{"code":"1234"}' })
        .then(async reply => reply.type + await reply.text(), String)`;
      expect(await page.evaluate(attempt)).toMatch(/^opaque$|Failed to fetch/);
    }
    const own = await scene.openTab();
    expect(await ask(own)).not.toBe('1234');
    bridge.answer('n');
  });
});

describe('in Firefox, which has neither WebHID nor WebUSB', () => {
  test('the page mentions the bridge, finds it, and sends coins through it', async () => {
    const firefox = await launchFirefox();
    try {
      const page = await firefox.newPage();
      const text = (selector: string) =>
        page.$eval(selector, (element: { textContent: string | null }) => element.textContent ?? '');
      await page.goto(scene.url);
      expect(await text('#usb-hint')).toMatch(/This browser has no WebHID/);
      await page.click('#connect-bridge');
      const code = await bridge.asked();
      expect(await text('#bridge-code')).toContain(`code ${code}`);
      bridge.answer('y');
      await page.waitForSelector('#wallet:not([hidden])');
      await page.click('#faucet');
      await until(async () => (await text('#balance')) === '100 ZBC');
      await page.click('nav a[href="#/send"]');
      await page.type('#send-to', SECOND);
      await page.type('#send-amount', '1');
      await page.click('#send-form button[type=submit]');
      await page.waitForSelector('#task-review:not([hidden])');
      await scene.server.emulator.review();
      await scene.server.emulator.approve();
      await page.waitForSelector('#task-result .good');
      expect(await text('#task-result')).toMatch(/Confirmed in block/);
      expect(await received()).toBe(100_000_000n);
    } finally {
      await firefox.close();
    }
  });
});
