import { type Devnet, startDevnet } from '@zbc-signer/devnet';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { GatewayClient } from '@zbc-signer/host';
import type { Page } from 'playwright-core';
import { startServer } from '../../../testkit/device/device-host.js';
import { accounts } from '../../../testkit/repository/vectors.js';
import {
  closeTask,
  fillTransfer,
  pressReview,
  requestCoins,
  result,
  shownItems,
} from '../../../testkit/screen/wallet-page.js';
import { GuestBrowser } from './guest-browser.js';

const [FIRST, SECOND] = accounts.cases.map(({ address }) => address) as [string, string];
/** On the emulated processor, a page needs half a minute even if this machine is otherwise idle. */
const STEP_MS = 300_000;
const LIMIT_MS = 1_200_000;
const COIN = 100_000_000n;

let devnet: Devnet;
let server: EmulatorServer;
let guest: GuestBrowser;
let page: Page;
/** Errors of the page's scripts, and everything that its policy blocked. */
const complaints: string[] = [];

beforeAll(async () => {
  devnet = await startDevnet({ blockTimeMs: 100, namedChain: true });
  server = await startServer({ usbipPort: 'auto' });
  guest = await GuestBrowser.start(devnet.url, server.usbipPort!, LIMIT_MS);
  guest.context.setDefaultTimeout(STEP_MS);
  guest.context.on('weberror', error => complaints.push(error.error().message));
  await guest.plug();
  page = guest.context.pages()[0] ?? (await guest.context.newPage());
  await open(page);
}, LIMIT_MS);

afterAll(async () => {
  await guest?.close();
  await server?.close();
  await devnet?.stop();
}, LIMIT_MS);

async function open(tab: Page): Promise<void> {
  await tab.goto(`${devnet.url}/wallet/`, { waitUntil: 'commit' });
  await tab.locator('h1').waitFor();
}

const sees = (tab: Page, selector: string, text: string) =>
  tab.locator(selector, { hasText: text }).waitFor();

const received = async () => (await new GatewayClient(devnet.nodeUrl).account(SECOND))?.balance ?? 0n;

async function beginTransfer(amount: string): Promise<void> {
  await fillTransfer(page, SECOND, amount);
  await pressReview(page);
  expect(await shownItems(page)).toEqual(await server.emulator.review());
}

describe.each([
  { kind: 'hid', name: 'WebHID' },
  { kind: 'usb', name: 'WebUSB' },
])('over $name in Chromium', ({ kind }) => {
  test(
    'the page opens the device that it used last, and shows the address of the device',
    async () => {
      await page.evaluate(`localStorage.setItem('zbc-signer device', '{"kind":"${kind}"}')`);
      await page.reload({ waitUntil: 'commit' });
      await sees(page, '#device-chip', 'Signer connected');
      await page.locator('#address', { hasText: FIRST }).waitFor({ state: 'attached' });
      await requestCoins(page);
    },
    LIMIT_MS,
  );

  test(
    'the page sends coins when the user approves, and sends nothing when the user rejects',
    async () => {
      const before = await received();
      await beginTransfer('1');
      await server.emulator.approve();
      await result(page).locator('.good', { hasText: 'Confirmed' }).waitFor();
      expect(await received()).toBe(before + COIN);
      await closeTask(page);
      await beginTransfer('2');
      await server.emulator.reject();
      await sees(page, '#task-result', 'You rejected it on the device');
      expect(await received()).toBe(before + COIN);
      await closeTask(page);
    },
    LIMIT_MS,
  );

  test(
    'a page that is reloaded during a review shows that a review is open, and does not sign again',
    async () => {
      const before = await received();
      await beginTransfer('3');
      await page.reload({ waitUntil: 'commit' });
      await sees(page, '#left-open-text', "“Send 3 ZBC” is still on the device's screen");
      await server.emulator.approve();
      await sees(page, '#left-open-text', '“Send 3 ZBC” ended while this page was reloaded');
      await page.getByRole('button', { name: 'Understood' }).click();
      await sees(page, '#device-chip', 'Signer connected');
      expect(server.emulator.reviewing).toBe(false);
      expect(await received()).toBe(before);
    },
    LIMIT_MS,
  );

  test(
    'a device that is unplugged during a review sends nothing, and works again when plugged in',
    async () => {
      const before = await received();
      await beginTransfer('4');
      await guest.unplug();
      await sees(page, '#task-result', 'The signer was disconnected. Nothing was sent.');
      await closeTask(page);
      await guest.plug();
      await sees(page, '#device-chip', 'Signer connected');
      expect(server.emulator.reviewing).toBe(false);
      await beginTransfer('5');
      await server.emulator.approve();
      await result(page).locator('.good', { hasText: 'Confirmed' }).waitFor();
      expect(await received()).toBe(before + 5n * COIN);
      await closeTask(page);
    },
    LIMIT_MS,
  );

  test(
    'a second tab takes the device over only when the user asks',
    async () => {
      const second = await guest.context.newPage();
      await open(second);
      await sees(second, '#elsewhere', 'The signer is in use in another tab');
      await second.getByRole('button', { name: 'Use it here' }).click();
      await second.locator('#wallet').waitFor();
      await sees(page, '#elsewhere', 'The signer is in use in another tab');
      await second.close();
      await page.getByRole('button', { name: 'Use it here' }).click();
      await page.locator('#elsewhere').waitFor({ state: 'hidden' });
      await sees(page, '#device-chip', 'Signer connected');
    },
    LIMIT_MS,
  );
});

test('no script of the page failed', () => {
  expect(complaints).toEqual([]);
});
