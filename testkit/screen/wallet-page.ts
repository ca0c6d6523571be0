// A user's actions on the wallet page.
import type { Locator, Page } from 'playwright-core';

/** Sections that are in the menu `More`. */
const REST = ['Contacts', 'Escrow', 'Sign and verify', 'Accounts', 'Settings'];

export async function openPlace(page: Page, name: string): Promise<void> {
  const isBehind = REST.includes(name);
  await page
    .getByRole('navigation')
    .getByRole('link', { name: isBehind ? 'More' : name })
    .click();
  if (isBehind) await page.locator('#more').getByRole('link', { name }).click();
}

/** Shows the bridge and the emulator among the ways to connect. */
export async function openWays(page: Page): Promise<void> {
  if (!(await page.locator('#connect-bridge').isVisible())) await page.locator('#ways summary').click();
}

/** Connects a page to the emulator at a URL. */
export async function connectEmulator(page: Page, url: string): Promise<void> {
  await openWays(page);
  await page.locator('#emulator-url').fill(url);
  await page.locator('#emulator-form button').click();
}

export async function requestCoins(page: Page): Promise<void> {
  await openPlace(page, 'Home');
  await page.getByRole('button', { name: 'Request test coins' }).click();
  await page.locator('#faucet-result', { hasText: 'Received' }).waitFor();
}

export async function fillTransfer(page: Page, to: string, amount: string): Promise<void> {
  await openPlace(page, 'Send');
  await page.locator('#send-to').fill(to);
  await page.locator('#send-amount').fill(amount);
}

export async function pressReview(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review on the device' }).filter({ visible: true }).click();
}

/** Returns the items that the device must show according to the page. */
export async function shownItems(page: Page): Promise<string[][]> {
  await page.locator('#task-review').waitFor();
  const texts = (selector: string) => page.locator(`#task-items ${selector}`).allTextContents();
  const [names, values] = await Promise.all([texts('dt'), texts('dd')]);
  return names.map((name, at) => [name, values[at]!]);
}

export function result(page: Page): Locator {
  return page.locator('#task-result');
}

export async function closeTask(page: Page): Promise<void> {
  await page.locator('#task-close').click();
}
