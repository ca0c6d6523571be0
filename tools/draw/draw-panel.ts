// Draws docs/panel.png: the web panel in Chromium, in the middle of a review.
import { writeFileSync } from 'node:fs';
import { type Emulator, startEmulatorServer } from '@zbc-signer/emulator';
import { Signer } from '@zbc-signer/host';
import { launchChromium } from '../chromium.js';
import { signTransfer } from './draw-transfer.js';

const output = new URL('../../../docs/panel.png', import.meta.url);

/**
 * Sends commands to the device: for its version, for a message that the user rejects, for a message that the
 * device refuses, and for a transfer. The review of the transfer is left open at the recipient.
 */
async function useDevice(emulator: Emulator): Promise<void> {
  const signer = new Signer(emulator.transport());
  await signer.getVersion();
  const rejected = signer.signMessage(0, new TextEncoder().encode('Sign in to example.org'));
  await Promise.allSettled([rejected, emulator.reject()]);
  await Promise.allSettled([signer.signMessage(0, Uint8Array.of(7))]);
  signTransfer(emulator).catch(() => undefined);
  await emulator.waitForReview();
  while (emulator.texts()[0] !== 'Recipient') emulator.press('right');
}

const server = await startEmulatorServer({ apiPort: 'auto', apduPort: 0, ledgerPort: 0 });
const browser = await launchChromium();
await useDevice(server.emulator);
const page = await browser.newPage({ viewport: { width: 1280, height: 935 } });
await page.goto(server.api);
await page.locator('#connection[data-state=live]').waitFor();
writeFileSync(output, await page.screenshot());
await browser.close();
await server.close();
