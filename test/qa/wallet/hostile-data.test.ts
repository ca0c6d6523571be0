import { readFileSync } from 'node:fs';
import { parseSignedDocument } from '@zbc-signer/host';
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
import { chromiumOfFile } from '../chromium-of-file.js';
import { WalletScene } from './scene.js';

const [FIRST, SECOND, THIRD] = accounts.cases.map(({ address }) => address) as [string, string, string];
/** The largest 64-bit number. As a time, it is later than any time that a JavaScript Date can hold. */
const LAST_U64 = '18446744073709551615';

const browser = chromiumOfFile();
let scene: WalletScene;
let page: Page;

beforeAll(async () => {
  scene = await WalletScene.open(browser());
  page = await scene.openOverHid();
  await requestCoins(page);
});
afterEach(async () => {
  expect(scene.complaints.splice(0)).toEqual([]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(`document.querySelector('#send-form').reset()`);
});
afterAll(() => scene?.close());

const field = (name: string) => page.locator(`#send-${name}`);
const values = async () => Promise.all(['to', 'amount', 'message'].map(name => field(name).inputValue()));

/** Replaces the field's text as a paste would, which applies the field's length limit. */
async function insert(name: string, text: string): Promise<void> {
  await field(name).fill('');
  await field(name).focus();
  await page.keyboard.insertText(text);
}

async function approveTransfer(): Promise<void> {
  await pressReview(page);
  await shownItems(page);
  await scene.server.emulator.review();
  await scene.server.emulator.approve();
}

async function confirmed(): Promise<void> {
  await result(page).locator('.good', { hasText: 'Confirmed' }).waitFor();
  await closeTask(page);
}

async function chooseFile(button: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles({ name: 'names.json', mimeType: 'application/json', buffer });
}

/** Changes the gateway's answers to a route. */
async function change(url: RegExp, alter: (json: never) => unknown): Promise<void> {
  await page.route(url, async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: alter((await response.json()) as never) });
  });
}

describe('a payment link', () => {
  beforeEach(() => openPlace(page, 'Send'));

  test('that is pasted is read completely or not at all', async () => {
    const message = 'Order 12345678 of customer 4711, in two parts';
    await insert('to', `zbc:${SECOND}?message=${message.replaceAll(' ', '+')}&amount=12.5`);
    expect(await values()).toEqual([SECOND, '12.5', message]);
    await insert('to', `zbc:${THIRD}?message=${'+'.repeat(2000)}&amount=3`);
    expect((await values()).slice(1)).toEqual(['12.5', message]);
  });

  test('fills in nothing if a value is longer than its field', async () => {
    await page.evaluate(`location.hash = '#/send?to=${SECOND}&amount=1&message=${'a'.repeat(257)}'`);
    await page.waitForFunction(`location.hash === '#/send'`);
    expect(await values()).toEqual(['', '', '']);
  });

  test('for coins shows the fee for coins, even if a token was selected before', async () => {
    await page.route(/estimate-fee\?type=11/, async route => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), minimum_fee: 9_000_000 } });
    });
    await field('asset').selectOption('1');
    await page.locator('#send-sum', { hasText: '0.09 ZBC' }).waitFor();
    await insert('to', `zbc:${SECOND}?amount=1`);
    await page.locator('#send-sum', { hasText: 'Total' }).waitFor();
    await page.locator('#send-sum', { hasText: '0.09 ZBC' }).waitFor({ state: 'detached' });
  });
});

test('a form that is filled while an earlier payment is confirmed keeps what is typed', async () => {
  let goOn = () => {};
  const held = new Promise<void>(resolve => {
    goOn = resolve;
  });
  await page.route('**/api/v1/transactions', async route => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  await fillTransfer(page, SECOND, '0.25');
  await approveTransfer();
  await closeTask(page);
  await fillTransfer(page, THIRD, '7');
  goOn();
  await page.locator('#task-result .good', { hasText: 'Confirmed' }).waitFor({ state: 'attached' });
  await page.waitForTimeout(300);
  expect(await values()).toEqual([THIRD, '7', '']);
});

test('signing into a file does not mention sending, and the file can be saved again if it is lost', async () => {
  await page.evaluate(`
    window.said = [];
    const look = () => said.push(document.title, document.querySelector('#task-step').textContent);
    new MutationObserver(look).observe(document.documentElement, { subtree: true, childList: true, characterData: true });
  `);
  await fillTransfer(page, THIRD, '0.75');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Sign only, into a file' }).click();
  await shownItems(page);
  await scene.server.emulator.review();
  await scene.server.emulator.approve();
  await result(page).locator('.good', { hasText: 'Nothing was sent' }).waitFor();
  const first = readFileSync(await (await download).path(), 'utf8');
  await closeTask(page);
  const lost = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the file' }).click();
  const again = readFileSync(await (await lost).path(), 'utf8');
  expect(parseSignedDocument(again).transactionHash).toEqual(parseSignedDocument(first).transactionHash);
  expect((await page.evaluate<string[]>('said')).filter(text => /Sending/.test(text))).toEqual([]);
  page.once('dialog', question => question.accept());
  await page.getByRole('button', { name: 'Forget' }).click();
  await page.locator('#unsettled').waitFor({ state: 'hidden' });
});

describe('a gateway', () => {
  test('that dates an entry beyond every calendar does not hide the other entries', async () => {
    await change(/movements\/latest/, ({ movements }: { movements: object[] }) => ({
      movements: [
        { kind: 'reward', address: FIRST, amount: 5, token_id: 0, block_height: 1, timestamp: LAST_U64 },
        ...movements,
      ],
    }));
    await openPlace(page, 'Home');
    await openPlace(page, 'Activity');
    await page.locator('#activity-list li', { hasText: LAST_U64 }).first().waitFor();
    await page.locator('#activity-list li', { hasText: 'Sent' }).first().waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    expect(readFileSync(await (await saving).path(), 'utf8')).toContain(LAST_U64);
  });

  test('that sends a token with id 0 cannot make the wallet send it instead of coins', async () => {
    const zero = { token_id: 0, decimals: 2, symbol: 'ZBC', balance: 5, spendable_balance: 5 };
    await change(/\/tokens$/, ({ tokens }: { tokens: object[] }) => ({ tokens: [zero, ...tokens] }));
    await page.locator('#account').selectOption('0');
    await page.locator('#send-asset option').nth(1).waitFor({ state: 'attached' });
    await fillTransfer(page, SECOND, '1.5');
    await pressReview(page);
    expect(await shownItems(page)).toEqual(
      expect.arrayContaining([
        ['Type', 'Send ZBC'],
        ['Amount', '1.5 ZBC'],
      ]),
    );
    await scene.server.emulator.review();
    await scene.server.emulator.reject();
    await result(page).locator('.bad').waitFor();
    await closeTask(page);
  });
});

test('a message cannot become a formula in the saved activity, whatever separates the cells', async () => {
  await fillTransfer(page, SECOND, '0.125');
  await field('message').fill('a;=2+3,@x');
  await approveTransfer();
  await confirmed();
  await openPlace(page, 'Home');
  await openPlace(page, 'Activity');
  await page.locator('#activity-list li', { hasText: 'a;=2+3' }).first().waitFor();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const cells = readFileSync(await (await saving).path(), 'utf8').split(/[;,"\r\n]+/);
  // A negative amount is a number, not a formula.
  expect(cells.filter(cell => /^\s*[=+@-]/.test(cell) && !/^-[\d.]+$/.test(cell))).toEqual([]);
});

describe('a file of contacts', () => {
  const said = (text: string | RegExp) => page.locator('#contacts-result', { hasText: text }).waitFor();
  beforeEach(() => openPlace(page, 'Contacts'));

  test('of 2 MB is rejected at once', async () => {
    await chooseFile('Load a file', Buffer.alloc(2 << 20, ' '));
    await said('is too large');
  });

  test('with a name for an address that no device has approved adds no name', async () => {
    const { genesisHash } = scene.devnet;
    const [own] = accounts.cases;
    const forged = { name: 'Carol', account: THIRD, genesis_hash: genesisHash, proof: 'ab'.repeat(32) };
    const contacts = [{ ...forged, signer: own!.public_key }];
    const file = { format: 'zbc-signer-contacts', version: 1, contacts };
    await chooseFile('Load a file', Buffer.from(JSON.stringify(file)));
    await said('the device refuses: Carol');
    expect(await page.locator('#contact-list, #unproved-list').getByText('Carol').count()).toBe(0);
  });
});

test('a file of 2 MB is rejected at once as a signed transaction', async () => {
  await openPlace(page, 'Sign and verify');
  await chooseFile('Choose a file', Buffer.alloc(2 << 20, ' '));
  await page.locator('#signed-result', { hasText: 'is too large' }).waitFor();
});

test('a page that may not use the clipboard says so', async () => {
  await page.evaluate(
    `Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })`,
  );
  await openPlace(page, 'Receive');
  await page.getByRole('button', { name: 'Show it unconfirmed' }).click();
  await page.getByRole('button', { name: 'Copy the address' }).click();
  await page.locator('#address-result', { hasText: 'did not allow' }).waitFor();
});

test('a journal entry under a key that is not a hash is listed, and does not stop the rest of the page', async () => {
  await page.evaluate(`new Promise(resolve => {
    indexedDB.open('zbc-signer payments', 1).onsuccess = ({ target: { result } }) => {
      const change = result.transaction('payments', 'readwrite');
      change.objectStore('payments').put('{', 'zzz');
      change.oncomplete = () => (result.close(), resolve());
    };
  })`);
  await page.locator('#unsettled .bad', { hasText: 'zzz' }).waitFor();
  expect(await page.locator('#unsettled button').count()).toBe(0);
  await openPlace(page, 'Settings');
  await page.locator('#settings-heading').waitFor();
  await page.evaluate(`indexedDB.deleteDatabase('zbc-signer payments')`);
  await page.locator('#unsettled').waitFor({ state: 'hidden' });
});
