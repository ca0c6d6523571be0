import { formatCoins, toHex } from '@zbc-signer/chain';
import type { Browser, Page } from 'playwright-core';
import { caseCount } from '../../../testkit/case-count.js';
import { accounts } from '../../../testkit/vectors.js';
import { launchChromium } from '../../../tools/chromium.js';
import { closeTask, fillTransfer, pressReview, requestCoins, WalletScene } from './scene.js';

// The long form, of 1000 schedules, is test/wallet/schedules.test.ts with a browser of its own.
const SCHEDULES = caseCount(60);
const STEPS = 10;
const TABS = 3;
const MAX_LOOKS = 200;
const { address: SECOND, public_key: SECOND_KEY } = accounts.cases[1]!;
const HASH_AT = 64;
const HASH_END = 96;

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** Numerical Recipes' generator; the upper bits are good enough to choose a step. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function play(scene: WalletScene, draw: (below: number) => number): Promise<void> {
  const tabs: (Page | undefined)[] = [await scene.openOverHid()];
  await requestCoins(tabs[0]!);
  let isPlugged = true;
  let payments = 0;
  const { emulator } = scene.server;
  const pay = async (tab: Page | undefined) => {
    if (tab === undefined || !(await tab.locator('#wallet').isVisible())) return;
    if (await tab.locator('dialog').isVisible()) {
      if (!(await tab.locator('#task-close').isVisible())) return;
      await closeTask(tab);
    }
    payments += 1;
    await fillTransfer(tab, SECOND, formatCoins(BigInt(payments)));
    await pressReview(tab);
    const isOver = () => tab.locator('#task-result > *').first().isVisible();
    for (let at = 0; at < MAX_LOOKS && !emulator.reviewing && !(await isOver()); at += 1) {
      await tab.waitForTimeout(10);
    }
  };
  /** Most often one that has the device. */
  const chooseTab = async () => {
    const shown = await Promise.all(
      tabs.map(async tab => (await tab?.locator('#wallet').isVisible()) === true),
    );
    return shown.includes(true) && draw(5) < 3 ? shown.indexOf(true) : draw(TABS);
  };
  // One that is certainly signed, whatever the page makes of what comes next.
  await pay(tabs[0]);
  await emulator.approve();
  for (let step = 0; step < STEPS; step += 1) {
    if (!isPlugged && draw(2) === 0) {
      await scene.hid.plug();
      isPlugged = true;
    }
    const at = await chooseTab();
    switch (draw(9)) {
      case 0:
      case 1:
      case 2:
        await pay(tabs[at]);
        break;
      case 3:
      case 4:
        if (emulator.reviewing) await emulator.approve().catch(() => undefined);
        break;
      case 5:
        await tabs[at]?.reload();
        break;
      case 6:
        if (tabs[at] === undefined) tabs[at] = await scene.openTab();
        else await tabs[at].close().then(() => (tabs[at] = undefined));
        break;
      case 7:
        await (isPlugged ? scene.hid.unplug() : scene.hid.plug());
        isPlugged = !isPlugged;
        break;
      default:
        await tabs[at]?.evaluate(`document.querySelector('#use-here').click()`);
    }
    await new Promise(resolve => setTimeout(resolve, draw(150)));
  }
  if (!isPlugged) await scene.hid.plug();
  for (const tab of tabs) await tab?.close();
  if (emulator.reviewing) await emulator.reject().catch(() => undefined);
}

/** A new tab shows what is not known to be on the chain, and sends it. */
async function drain(scene: WalletScene): Promise<void> {
  const page = await scene.openTab();
  await page.locator('#wallet').waitFor();
  for (;;) {
    const next = page.getByRole('button', { name: 'Check and send' }).first();
    if (!(await next.isVisible())) break;
    await next.click();
    await page.locator('#task-result .good').waitFor();
    await closeTask(page);
  }
  await page.close();
}

interface Listed {
  recipient_account_address: string;
  transaction_hash: string;
  transaction_body_bytes: string;
}

/** What the node has, in its own words. */
async function listPayments(nodeUrl: string): Promise<Listed[]> {
  const answer = await fetch(`${nodeUrl}/api/v1/transactions?limit=100`);
  const { transactions } = (await answer.json()) as { transactions: Listed[] };
  return transactions.filter(({ recipient_account_address: to }) => to.endsWith(SECOND_KEY));
}

test(`${SCHEDULES} random schedules in three tabs of Chromium lose and double no signature`, async () => {
  const totals = { signed: 0, confirmed: 0 };
  for (let seed = 1; seed <= SCHEDULES; seed += 1) {
    const scene = await WalletScene.open(browser);
    const signed: string[] = [];
    scene.server.emulator.on('decision', reply => {
      if (reply.length === HASH_END + 2) signed.push(toHex(reply.slice(HASH_AT, HASH_END)));
    });
    await play(scene, random(seed));
    const kept = new Set<string>();
    const page = await scene.openTab();
    const stored = await page.evaluate<string>(`localStorage.getItem('zbc-wallet signed') ?? '[]'`);
    for (const { document } of JSON.parse(stored)) kept.add(JSON.parse(document).transaction_hash);
    await page.close();
    await drain(scene);
    const paid = await listPayments(scene.devnet.nodeUrl);
    const amounts = paid.map(({ transaction_body_bytes: body }) => body);
    const hashes = paid.map(({ transaction_hash: hash }) => hash);
    expect([seed, new Set(amounts).size]).toEqual([seed, amounts.length]);
    expect([seed, hashes.filter(hash => !signed.includes(hash))]).toEqual([seed, []]);
    expect([seed, [...kept].filter(hash => !hashes.includes(hash))]).toEqual([seed, []]);
    expect([seed, scene.complaints]).toEqual([seed, []]);
    totals.signed += signed.length;
    totals.confirmed += paid.length;
    await scene.close();
  }
  console.log(JSON.stringify(totals));
  expect(totals.signed).toBeGreaterThanOrEqual(SCHEDULES);
  expect(totals.confirmed).toBeGreaterThan(0);
}, 600_000);
