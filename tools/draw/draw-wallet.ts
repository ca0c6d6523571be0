// Draws the wallet page and the connect page in Chromium: docs/wallet.png, wallet-phone.png, connect.png and
// connect-review.png.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDevnet } from '@zbc-signer/devnet';
import { startEmulatorServer } from '@zbc-signer/emulator';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../chromium.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const docs = join(root, 'docs');

const RECIPIENT = 'ZBC_7VCHFO66_YQ5ZDGVD_PONTGZVD_GGHSSAVH_KOQV6X6W_2Q6EJNIS_DNTVIFT4';

const devnet = await startDevnet({ blockTimeMs: 200, namedChain: true });
const server = await startEmulatorServer({ apiPort: 'auto', apduPort: 0, ledgerPort: 0 });
const browser = await launchChromium();

async function openWallet(options: Parameters<Browser['newPage']>[0]): Promise<Page> {
  const page = await browser.newPage(options);
  await page.goto(`${devnet.url}/wallet/`);
  await page.getByLabel('URL').fill(server.api);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('button', { name: 'Request test coins' }).click();
  await page.locator('#faucet-result', { hasText: 'Received' }).waitFor();
  return page;
}

async function draw(page: Page, name: string): Promise<void> {
  writeFileSync(join(docs, name), await page.screenshot());
}

/** Opens the window in which a page of `https://shop.example` asks for the signature of a message. */
async function openConnect(): Promise<Page> {
  const size = { width: 520, height: 760 };
  const context = await browser.newContext({ colorScheme: 'light', viewport: size });
  await context.route('https://shop.example/**', (route, request) => {
    const { pathname } = new URL(request.url());
    return pathname === '/'
      ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A shop</title>' })
      : route.fulfill({ path: join(root, pathname), contentType: 'text/javascript' });
  });
  const shop = await context.newPage();
  await shop.goto('https://shop.example/');
  const [page] = await Promise.all([
    shop.waitForEvent('popup'),
    shop.evaluate(`import('/connect/dist/index.js').then(({ ConnectWindow }) => {
      const nonce = '0b0f2c5e-8d0a-4b43-9a51-4f7f7f0c2f51';
      new ConnectWindow('${devnet.url}').signMessage('Sign in to the shop', nonce).catch(() => undefined);
    })`),
  ]);
  await page.setViewportSize(size);
  await page.getByLabel('URL').fill(server.api);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.locator('#allow:enabled').waitFor();
  // Soon after a device is connected, `Allow` is briefly disabled again.
  await page.waitForTimeout(1000);
  return page;
}

const connect = await openConnect();
await draw(connect, 'connect.png');
await connect.getByRole('button', { name: 'Allow' }).click();
await connect.locator('#task-review').waitFor();
await server.emulator.waitForReview();
await draw(connect, 'connect-review.png');
await server.emulator.reject();
await connect.close();
const phone = await openWallet({ colorScheme: 'dark', viewport: { width: 390, height: 780 } });
await draw(phone, 'wallet-phone.png');
await phone.close();
const page = await openWallet({ colorScheme: 'light', viewport: { width: 1000, height: 780 } });
await page.getByRole('navigation').getByRole('link', { name: 'Send' }).click();
await page.locator('#send-to').fill(RECIPIENT);
await page.locator('#send-amount').fill('1.5');
await page.locator('#send-message').fill('invoice 42');
await page.getByRole('button', { name: 'Review on the device' }).filter({ visible: true }).click();
await page.locator('#task-review').waitFor();
await server.emulator.waitForReview();
await draw(page, 'wallet.png');
await browser.close();
await server.close();
await devnet.stop();
