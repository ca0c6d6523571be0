import type { Page } from 'playwright-core';
import { accounts } from '../../../testkit/repository/vectors.js';
import {
  closeTask,
  connectEmulator,
  fillTransfer,
  openPlace,
  pressReview,
  requestCoins,
  result,
  shownItems,
} from '../../../testkit/screen/wallet-page.js';
import { WalletScene } from './scene.js';

const [OWN, OTHER] = accounts.cases.map(({ address }) => address) as [string, string];
const BROADCASTS = '**/api/v1/transactions';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

/** Calls `see` for a page at each size and in each colour scheme, with a name such as `390-dark`. */
export async function eachLook(page: Page, see: (look: string) => Promise<void>): Promise<void> {
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await see(`${viewport.width}-${colorScheme}`);
    }
  }
}

/** Takes the pages through all their states, and calls `look` in each, with its name and its page. */
export async function visitStates(look: (state: string, of: Page) => Promise<void>): Promise<void> {
  const scene = await WalletScene.launch();
  try {
    await visit(scene, look);
  } finally {
    await scene.close();
  }
}

async function visit(scene: WalletScene, look: (state: string, of: Page) => Promise<void>): Promise<void> {
  scene.context.setDefaultTimeout(30_000);
  const { emulator } = scene.server;
  const page = await scene.openTab();
  const take = (state: string, of = page) => look(state, of);

  async function review(begin: () => Promise<void>, state?: string): Promise<void> {
    await begin();
    await shownItems(page);
    await emulator.waitForReview();
    if (state !== undefined) await take(state);
  }

  async function end(state: string, outcome: 'good' | 'bad'): Promise<void> {
    await result(page).locator(`.${outcome}`).waitFor();
    await take(state);
    await closeTask(page);
  }

  const press = (name: string) => page.getByRole('button', { name }).filter({ visible: true }).click();
  const forget = () => {
    page.once('dialog', question => question.accept());
    return press('Forget');
  };
  const pay = async (amount: string) => {
    await fillTransfer(page, OTHER, amount);
    await pressReview(page);
  };

  await take('first-visit');
  await connectEmulator(page, 'http://127.0.0.1:9');
  await page.locator('#connect-result .bad').waitFor();
  await take('no-emulator');
  await connectEmulator(page, scene.server.api);
  await page.locator('#wallet').waitFor();
  await page.locator('#balance', { hasText: '0' }).waitFor();
  await take('home-empty');
  await requestCoins(page);
  await take('home');

  await openPlace(page, 'Send');
  await page.locator('#send-sum', { hasText: '0.025' }).waitFor();
  await take('send');
  await fillTransfer(page, `${OTHER.slice(0, -1)}A`, '1');
  await pressReview(page);
  await take('send-wrong');
  await fillTransfer(page, OTHER, '0.05');
  await page.locator('#send-message').fill('invoice 42');
  await take('send-filled');
  await review(() => pressReview(page), 'review');
  await emulator.reject();
  await end('rejected', 'bad');
  let goOn = () => {};
  const held = new Promise<void>(resolve => {
    goOn = resolve;
  });
  await page.route(BROADCASTS, route => held.then(() => route.continue()));
  await review(() => pressReview(page));
  await emulator.approve();
  await page.locator('#task-step', { hasText: 'Sending' }).waitFor();
  await take('sending');
  goOn();
  await end('paid', 'good');
  await page.unroute(BROADCASTS);
  await take('send-again');
  await page.getByRole('link', { name: 'Save as contact' }).click();
  await page.locator('#contact-name').fill('Anna');
  await take('contact-new');
  await review(() => pressReview(page), 'contact-review');
  await emulator.approve();
  await end('contact-saved', 'good');
  await review(async () => {
    await fillTransfer(page, 'Anna', '1');
    await take('send-by-name');
    await pressReview(page);
  }, 'review-by-name');
  await emulator.reject();
  await end('rejected-by-name', 'bad');
  await review(async () => {
    await fillTransfer(page, OTHER, '2');
    await press('Sign only');
  });
  await emulator.approve();
  await end('signed-into-file', 'good');
  await take('signed-and-kept');
  await forget();

  await openPlace(page, 'Receive');
  await take('receive');
  await press('Show it unconfirmed');
  await take('receive-unconfirmed');
  await review(() => press('Confirm on the device'), 'receive-compare');
  await emulator.approve();
  await end('receive-done', 'good');
  await take('receive-confirmed');

  await openPlace(page, 'Escrow');
  await page.locator('#escrow-to').fill(OTHER);
  await page.locator('#escrow-amount').fill('3');
  await page.locator('#escrow-approver').fill(OWN);
  await page.locator('#escrow-instruction').fill('on delivery');
  await review(() => pressReview(page));
  await emulator.approve();
  await result(page).locator('.good').waitFor();
  await closeTask(page);
  await openPlace(page, 'Activity');
  await page.locator('#activity-state', { hasText: 'Every block of the chain' }).waitFor();
  await take('activity');
  await page.locator('#activity-list summary').first().click();
  await take('activity-details');
  for (const place of ['More', 'Contacts', 'Escrow', 'Accounts', 'Settings']) {
    await openPlace(page, place);
    await page.waitForTimeout(500);
    await take(place.toLowerCase());
  }
  await openPlace(page, 'Sign and verify');
  await page.locator('#sign-text').fill('Sign in to example.org');
  await review(() => pressReview(page), 'sign-review');
  await emulator.approve();
  await end('sign-done', 'good');
  await page.locator('#verify-address').fill(OWN);
  await page.locator('#verify-text').fill('Sign in to example.com');
  await page.locator('#verify-signature').fill('00'.repeat(64));
  await press('Verify');
  await take('sign-and-verify');

  await page.route(BROADCASTS, route =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, body: '{"error":"fee too low"}' })
      : route.continue(),
  );
  await review(() => pay('0.35'));
  await emulator.approve();
  await end('not-believed', 'bad');
  await openPlace(page, 'Home');
  await take('unsettled');
  await forget();
  await page.unroute(BROADCASTS);
  await review(() => pay('0.75'));
  await page.reload();
  await page.locator('#left-open').waitFor();
  await take('left-open');
  await press('Understood');
  await openPlace(page, 'Accounts');
  await page.locator('#watch').check();
  const second = await scene.openTab();
  await second.getByRole('button', { name: 'Use it here' }).waitFor();
  await take('in-another-tab', second);
  await second.close();
  await page.route('**/api/v1/**', route => route.abort());
  await page.locator('#alarms', { hasText: 'does not answer' }).waitFor();
  await openPlace(page, 'Home');
  await take('gateway-gone');
  await page.unroute('**/api/v1/**');
  await page.locator('#alarms p').waitFor({ state: 'detached' });
  await openPlace(page, 'Settings');
  await press('Disconnect');
  await openPlace(page, 'Home');
  await page.locator('#away').waitFor();
  await take('watched');

  const asked = { method: 'send', to: OTHER, amount: '1.5', message: 'order 7' };
  for (const request of [{ method: 'account' }, { method: 'sign', message: 'Sign in', nonce: '1' }, asked]) {
    const window = await scene.openAsked(request);
    await take(`asked-${request.method}`, window);
    await window.close();
  }
  await take('allowed-pages', await scene.openAllowed());
}
