// Draws docs/wallet.png and docs/wallet-phone.png: the wallet page in Chromium, with a transfer under review.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDevnet } from '@zbc-signer/devnet';
import { startEmulatorServer } from '@zbc-signer/emulator';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../chromium.js';

const docs = join(fileURLToPath(new URL('../../..', import.meta.url)), 'docs');

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
  await page.close();
}

const phone = await openWallet({ colorScheme: 'dark', viewport: { width: 390, height: 780 } });
await draw(phone, 'wallet-phone.png');
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
