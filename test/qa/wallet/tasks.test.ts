import { readFileSync } from 'node:fs';
import { verify } from '@stablelib/ed25519';
import { parseCoins } from '@zbc-signer/chain';
import { GatewayClient } from '@zbc-signer/host';
import type { Locator, Page } from 'playwright-core';
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
import { WalletScene } from './scene.js';

const [FIRST, SECOND] = accounts.cases.map(({ address }) => address) as [string, string];

let scene: WalletScene;
let page: Page;

beforeAll(async () => {
  scene = await WalletScene.launch();
  page = await scene.openConnected();
  await requestCoins(page);
});

afterAll(() => scene?.close());

/** The field's label, which says that it is optional. */
const MESSAGE = 'Message (optional)';

/** Reads the whole review on the device, compares it with the page's, and decides. */
async function decide(decision: 'approve' | 'reject'): Promise<string[][]> {
  const items = await shownItems(page);
  expect(await page.title()).toMatch(/^Confirm on the device · /);
  const review = await scene.server.emulator.review();
  expect(items).toEqual(review);
  await scene.server.emulator[decision]();
  return items;
}

async function confirmed(): Promise<string> {
  const done = result(page).locator('.good');
  await done.waitFor();
  expect(await done.innerText()).toMatch(/^Confirmed in block \d+\./);
  expect(await page.title()).toMatch(/^✓ · /);
  const [, hash] = /Transaction([0-9a-f]{64})/.exec((await done.textContent()) ?? '') ?? [];
  await closeTask(page);
  return hash!;
}

const balanceOf = async (address: string) => {
  const { spendable } = (await new GatewayClient(scene.devnet.archivalUrl).account(address))!;
  return spendable;
};

test('the page shows the chain, the signer, and the account with its balance and tokens', async () => {
  await page.locator('#network-chip', { hasText: 'ZBC Devnet' }).waitFor();
  expect(await page.locator('#device-chip').innerText()).toBe('Emulator, no real signer');
  expect(await page.locator('#device-chip').getAttribute('data-state')).toBe('busy');
  expect(await page.locator('#network-chip').getAttribute('data-state')).toBe('good');
  expect(await page.locator('#balance').innerText()).toBe('100 ZBC');
  await page.locator('#tokens li', { hasText: 'TICKET' }).waitFor();
  // The page may replace the rows at any time, so that one script must read all of them.
  const rows = `[...document.querySelectorAll('#tokens li')].map(row => [...row.children].map(cell => cell.textContent))`;
  expect(await page.evaluate(rows)).toEqual([
    ['H', 'HERON', '5', 'token -526214447600301886'],
    ['A', 'AMBER', '25', 'token 1'],
    ['T', 'TICKET', '10', 'token 2'],
  ]);
});

test('a payment link fills in the form, and sends nothing', async () => {
  const values = async () =>
    Promise.all(['to', 'amount', 'message'].map(name => page.locator(`#send-${name}`).inputValue()));
  await page.evaluate(`location.hash = '#/send?to=ZBC_A&amount=1.5&message=a%26b%20%3Cb%3E'`);
  await page.locator('#send-form').waitFor();
  expect(await values()).toEqual(['ZBC_A', '1.5', 'a&b <b>']);
  expect(new URL(page.url()).hash).toBe('#/send');
  await page.locator('#send-to').fill('zbc:ZBC_B?amount=2');
  expect(await values()).toEqual(['ZBC_B', '2', '']);
  const message = 'm'.repeat(256);
  await page.locator('#send-to').fill(`${scene.url}#/send?to=${SECOND}&amount=0.25&message=${message}`);
  expect(await values()).toEqual([SECOND, '0.25', message]);
  await page.evaluate(`location.hash = '#/send?to=ZBC_C&amount=3&token=1'`);
  await page.locator('#send-to-fault', { hasText: 'cannot read the payment link' }).waitFor();
  expect(await values()).toEqual(['', '', '']);
  expect(scene.server.emulator.reviewing).toBe(false);
  await page.evaluate(`document.querySelector('#send-form').reset(); location.hash = ''`);
});

test('the page shows the address as one line and as a QR code after the device has confirmed it', async () => {
  await openPlace(page, 'Receive');
  expect(await page.locator('#address').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Confirm on the device' }).click();
  expect(await decide('approve')).toEqual([['Address', FIRST]]);
  await result(page).locator('.good', { hasText: 'You confirmed this address' }).waitFor();
  await closeTask(page);
  expect(await page.locator('#address').innerText()).toBe(FIRST);
  expect(await page.locator('#address-state').innerText()).toMatch(/^✓ Confirmed on the device at /);
  expect(await page.getByRole('img', { name: 'QR code of the address' }).locator('path').count()).toBe(1);
});

test('the page shows an unconfirmed address only with the note that it is not confirmed', async () => {
  const tab = await scene.openTab();
  await tab.getByRole('button', { name: 'Use it here' }).click();
  await tab.locator('#wallet').waitFor();
  await openPlace(tab, 'Receive');
  await tab.getByRole('button', { name: 'Show it unconfirmed' }).click();
  expect(await tab.locator('#address').innerText()).toBe(FIRST);
  expect(await tab.locator('#address-state').innerText()).toBe('Not confirmed on the device');
  await tab.close();
  await page.locator('#elsewhere').waitFor({ state: 'hidden' });
});

test('the page sends coins, and shows exactly what the device shows', async () => {
  await fillTransfer(page, SECOND, '1.5');
  await page.getByLabel(MESSAGE).fill('invoice 42');
  await pressReview(page);
  const items = await decide('approve');
  expect(items).toContainEqual(['Amount', '1.5 ZBC']);
  expect(items).toContainEqual(['Recipient', SECOND]);
  expect(items).toContainEqual(['Message', 'invoice 42']);
  await confirmed();
  expect(await balanceOf(SECOND)).toBe(150_000_000n);
});

test('after a payment, the page copies its hash, and fills in the form for the same payment', async () => {
  await scene.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await fillTransfer(page, SECOND, '0.3');
  await page.getByLabel(MESSAGE).fill('twice');
  await pressReview(page);
  // As if the next payment had been typed meanwhile.
  for (const field of ['to', 'amount', 'message'])
    await page.locator(`#send-${field}`).evaluate('field => { field.value = "7" }');
  await decide('approve');
  await page.getByRole('button', { name: 'Copy the hash' }).click();
  await result(page).getByText('Copied.').waitFor();
  const shown = await page.locator('#task-result dd').last().textContent();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shown);
  await page.getByRole('button', { name: 'Send again' }).click();
  expect(await page.locator('#send-to').inputValue()).toBe(SECOND);
  expect(await page.locator('#send-amount').inputValue()).toBe('0.3');
  expect(await page.getByLabel(MESSAGE).inputValue()).toBe('twice');
  expect(await page.locator('#send-form .address').textContent()).toBe(SECOND);
  await page.locator('#send-form').evaluate('form => form.reset()');
});

test('the page says plainly that the user rejected, and sends nothing', async () => {
  const before = await balanceOf(SECOND);
  await fillTransfer(page, SECOND, '2');
  await page.getByLabel(MESSAGE).fill('Grüße');
  await pressReview(page);
  const items = await decide('reject');
  expect(items).toContainEqual(['Message', expect.stringMatching(/^7 bytes \(binary\) [0-9a-f]{8}$/)]);
  await page.getByLabel(MESSAGE).fill('');
  await result(page).locator('.bad', { hasText: 'You rejected it on the device' }).waitFor();
  await closeTask(page);
  expect(await balanceOf(SECOND)).toBe(before);
  expect(await page.locator('#unsettled').isVisible()).toBe(false);
});

test('the page shows what a payment costs before the review, and warns of a fee that is large for the amount', async () => {
  for (const [amount, share, isMuch] of [
    ['1.5', '1.7%', false],
    ['0.05', '50%', true],
  ] as const) {
    await fillTransfer(page, SECOND, amount);
    await page.locator('#send-sum', { hasText: 'Fee0.025 ZBC' }).waitFor();
    const words = await page.locator('#send-share').innerText();
    expect(words).toBe(`The fee is ${share} of the amount. This page signs no fee above 0.1 ZBC.`);
    await pressReview(page);
    await shownItems(page);
    expect(await page.locator('#task-note').isVisible()).toBe(isMuch);
    await decide('reject');
    await result(page).locator('.bad').waitFor();
    await closeTask(page);
  }
});

test('"Max" fills in the whole balance minus the fee', async () => {
  await openPlace(page, 'Send');
  const spendable = await balanceOf(FIRST);
  await page.getByRole('button', { name: 'Max' }).click();
  const amount = parseCoins(await page.locator('#send-amount').inputValue());
  expect(amount).toBe(spendable - 2_500_000n);
  await page.locator('#send-sum', { hasText: 'Balance after it0 ZBC' }).waitFor();
});

describe('a contact', () => {
  test('is made of a recipient after the payment, once the device has shown the name and the address', async () => {
    await fillTransfer(page, SECOND, '0.5');
    await pressReview(page);
    await decide('approve');
    await confirmed();
    await page.getByRole('link', { name: 'Save as contact' }).click();
    await page.locator('#contact-form').getByLabel('Name').fill('Anna');
    expect(await page.locator('#contact-address').inputValue()).toBe(SECOND);
    await pressReview(page);
    await page.locator('#task-note', { hasText: 'over another channel' }).waitFor();
    expect(await decide('approve')).toEqual([
      ['New contact', 'Anna'],
      ['Network', 'ZBC Devnet'],
      ['Address', SECOND],
    ]);
    await result(page).locator('.good', { hasText: 'Anna' }).waitFor();
    await closeTask(page);
    await page.locator('#contact-list li', { hasText: 'Anna' }).filter({ hasText: SECOND }).waitFor();
  });

  test('is paid by its name, which the device must show beside the address', async () => {
    await openPlace(page, 'Send');
    expect(await page.getByRole('link', { name: 'Save as contact' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Anna' }).click();
    expect(await page.locator('#send-to').inputValue()).toBe('Anna');
    await page.locator('#send-form .address', { hasText: SECOND }).waitFor();
    await page.locator('#send-amount').fill('0.5');
    await pressReview(page);
    await page
      .getByText('The device shows Recipient contact: Anna and the address. Without that page, reject.')
      .waitFor();
    const items = await decide('approve');
    const at = items.findIndex(([title]) => title === 'Recipient contact');
    expect(items.slice(at, at + 2)).toEqual([
      ['Recipient contact', 'Anna'],
      ['Recipient', SECOND],
    ]);
    await confirmed();
    expect(await page.getByRole('link', { name: 'Save as contact' }).isVisible()).toBe(false);
    await openPlace(page, 'Activity');
    await page.locator('#activity-list li', { hasText: 'to Anna' }).first().waitFor();
  });

  test('is the approver of an escrow by its name', async () => {
    await openPlace(page, 'Escrow');
    await page.locator('#escrow-to').fill('Anna');
    await page.locator('#escrow-amount').fill('0.5');
    await page.locator('#escrow-approver').fill('Anna');
    await pressReview(page);
    const items = new Map((await decide('reject')) as [string, string][]);
    expect([items.get('Recipient contact'), items.get('Approver contact')]).toEqual(['Anna', 'Anna']);
    await result(page).locator('.bad').waitFor();
    await closeTask(page);
    await page.evaluate(`document.querySelector('#escrow-form').reset()`);
  });

  test('is saved, removed, and back from the file, without another review', async () => {
    await openPlace(page, 'Contacts');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save to a file' }).click();
    const path = await (await download).path();
    const row = page.locator('#contact-list li', { hasText: 'Anna' });
    await row.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Load a file' }).click();
    await (await chooser).setFiles(path);
    await row.waitFor();
    expect(scene.server.emulator.reviewing).toBe(false);
  });
});

test('the review on the device ends when the user cancels in the page', async () => {
  await fillTransfer(page, SECOND, '2');
  await pressReview(page);
  await shownItems(page);
  await scene.server.emulator.waitForReview();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await result(page).locator('.bad', { hasText: 'Cancelled. Nothing was sent' }).waitFor();
  await closeTask(page);
  expect(scene.server.emulator.reviewing).toBe(false);
});

test('the page reports an error next to the field, without asking the device', async () => {
  for (const [to, amount, field, words] of [
    [`${SECOND.slice(0, -1)}A`, '1', 'To', /checksum/i],
    [SECOND, '1.5.', 'Amount', /decimal number/i],
    [SECOND, '0', 'Amount', /amount is 0/i],
    [SECOND, '1000000', 'Amount', /insufficient balance/i],
  ] as const) {
    await fillTransfer(page, to, amount);
    await pressReview(page);
    const wrong = page.locator('#send-form').getByLabel(field);
    await expectFault(wrong, words);
    expect(await page.locator('#task').isVisible()).toBe(false);
    expect(scene.server.emulator.reviewing).toBe(false);
    await wrong.fill('1');
    expect(await wrong.getAttribute('aria-invalid')).toBeNull();
    expect(await page.locator('.fault').count()).toBe(0);
  }
});

async function expectFault(field: Locator, words: RegExp): Promise<void> {
  await field.and(page.locator('[aria-invalid=true]:focus')).waitFor();
  const fault = page.locator(`#${await field.getAttribute('aria-errormessage')}`);
  expect(await fault.innerText()).toMatch(words);
}

test('a user who has another tab in front is notified that the device waits, and that the payment is made', async () => {
  await page.evaluate(`
    window.told = [];
    window.Notification = class {
      static permission = 'granted';
      constructor(title, { body }) { told.push([title, body]); throw new TypeError('as on a phone'); }
    };
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
  `);
  await fillTransfer(page, SECOND, '0.125');
  await pressReview(page);
  await decide('approve');
  await confirmed();
  expect(await page.evaluate('told')).toEqual([
    ['Confirm on the device · ZBC wallet', 'Send 0.125 ZBC'],
    ['Done · ZBC wallet', 'Send 0.125 ZBC'],
  ]);
  await page.evaluate(`delete document.hidden`);
});

test('the page sends a token, scaled by its decimals', async () => {
  await openPlace(page, 'Send');
  await page.locator('#send-asset').selectOption('1');
  await fillTransfer(page, SECOND, '2.5');
  await pressReview(page);
  const items = await decide('approve');
  expect(items).toContainEqual(['As reported by the app', '2.5 AMBER']);
  await confirmed();
  const [token] = await new GatewayClient(scene.devnet.archivalUrl).accountTokens(SECOND);
  expect(token).toMatchObject({ id: 1n, spendable: 250_000_000n });
});

describe('an escrow', () => {
  async function makeEscrow(amount: string): Promise<string> {
    await page.locator('#account').selectOption('0');
    await openPlace(page, 'Escrow');
    await page.locator('#escrow-to').fill(SECOND);
    await page.locator('#escrow-amount').fill(amount);
    await page.locator('#escrow-approver').fill(SECOND);
    await page.locator('#escrow-instruction').fill('on delivery');
    await pressReview(page);
    const items = await decide('approve');
    expect(items).toContainEqual(['Escrow approver', SECOND]);
    expect(items).toContainEqual(['Escrow instruction', 'on delivery']);
    return confirmed();
  }

  async function asApprover(): Promise<void> {
    await page.locator('#account').selectOption('1');
    await openPlace(page, 'Home');
    await openPlace(page, 'Escrow');
  }

  beforeAll(async () => {
    await openPlace(page, 'Accounts');
    await page.getByRole('button', { name: 'Add account' }).click();
    await page.locator('#account option').nth(1).waitFor({ state: 'attached' });
  });

  test('is listed for its approver, who can approve it', async () => {
    const hash = await makeEscrow('3');
    // Anyone may put a transaction on the chain that this library cannot rebuild; the list must still show
    // it.
    const rebuilt = /\/transactions\/[0-9a-f]{64}$/;
    await page.route(rebuilt, route => route.fulfill({ body: '{}' }));
    await asApprover();
    const entry = page.locator('#escrow-list li', { hasText: hash });
    await entry.waitFor();
    expect(await entry.innerText()).toMatch(/^3 ZBC[\s\S]*on delivery/);
    await page.unroute(rebuilt);
    const before = await balanceOf(SECOND);
    await entry.getByRole('button', { name: 'Approve' }).click();
    const items = await decide('approve');
    expect(items).toContainEqual(['Escrow decision', 'APPROVE']);
    expect(items).toContainEqual(['Escrow amount', '3 ZBC']);
    await confirmed();
    await entry.waitFor({ state: 'detached' });
    expect((await balanceOf(SECOND)) - before).toBe(300_000_000n - 2_500_000n);
  });

  test('can be rejected, and the sender gets the coins back', async () => {
    const before = await balanceOf(FIRST);
    const hash = await makeEscrow('4');
    await asApprover();
    const entry = page.locator('#escrow-list li', { hasText: hash });
    await entry.getByRole('button', { name: 'Reject' }).click();
    expect(await decide('approve')).toContainEqual(['Escrow decision', 'REJECT']);
    await confirmed();
    await page.locator('#account').selectOption('0');
    // The sender has lost only the fee of the escrowed transfer.
    expect(before - (await balanceOf(FIRST))).toBeLessThan(400_000_000n);
  });
});

test('the page signs a message with the key of the account', async () => {
  await openPlace(page, 'Sign and verify');
  await page.locator('#sign-text').fill('Sign in to example.org\nnonce 7');
  await pressReview(page);
  await page.locator('#task-review').waitFor();
  await scene.server.emulator.review();
  await scene.server.emulator.approve();
  await result(page).locator('.good').waitFor();
  await closeTask(page);
  const [signed, signature, publicKey] = await page.locator('#signature dd').allInnerTexts();
  expect(signed).toBe('Sign in to example.org\nnonce 7');
  const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
  expect(publicKey).toBe(accounts.cases[0]!.public_key);
  const message = new TextEncoder().encode('Sign in to example.org\nnonce 7');
  expect(verify(bytes(publicKey!), message, bytes(signature!))).toBe(true);
});

test('the page verifies a message by its address, and reports when another message was signed', async () => {
  const [, signature = '', , address = ''] = await page.locator('#signature dd').allInnerTexts();
  const form = page.locator('#verify-form');
  await form.getByLabel('Address').fill(address);
  await form.getByLabel('Signature').fill(signature);
  for (const [text, verdict] of [
    ['Sign in to example.org\nnonce 7', '.good'],
    ['Sign in to example.org\nnonce 8', '.bad'],
  ] as const) {
    await form.getByLabel('Message').fill(text);
    await form.getByRole('button', { name: 'Verify' }).click();
    await page.locator(`#verdict ${verdict}`).waitFor();
    await form.getByLabel('Message').fill('another');
    expect(await page.locator('#verdict').innerText()).toBe('');
  }
});

test('the page signs into a file without sending, and sends the file once', async () => {
  const before = await balanceOf(SECOND);
  await fillTransfer(page, SECOND, '0.75');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Sign only, into a file' }).click();
  await decide('approve');
  await result(page).locator('.good', { hasText: 'Nothing was sent' }).waitFor();
  const path = await (await download).path();
  await closeTask(page);
  await page.locator('#unsettled li', { hasText: '0.75 ZBC' }).filter({ hasText: 'use its file' }).waitFor();
  expect(await balanceOf(SECOND)).toBe(before);
  await openPlace(page, 'Sign and verify');
  for (const file of [path, path]) {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles(file);
    await result(page).locator('.good').waitFor();
    await closeTask(page);
    expect(await page.locator('#unsettled').isVisible()).toBe(false);
  }
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  const unread = page.locator('#signed-result .bad');
  await unread.waitFor();
  expect(await unread.innerText()).not.toMatch(/It is kept/);
  expect((await balanceOf(SECOND)) - before).toBe(75_000_000n);
});

test('the page lists what happened to the account', async () => {
  await openPlace(page, 'Activity');
  const entries = page.locator('#activity-list li');
  // The entries of an earlier visit stay on the page until the newer ones are read.
  for (const text of [
    /Sent−1.5 ZBC[\s\S]*Messageinvoice 42/,
    /Sent−2.5 AMBER.*token 1/,
    /Received\+100 ZBC/,
    /Escrowapproved/,
  ]) {
    await entries.filter({ hasText: text }).first().waitFor();
  }
  const entry = entries.filter({ hasText: 'invoice 42' }).first();
  expect(await entry.innerText()).not.toMatch(/[0-9a-f]{64}/);
  await entry.locator('summary').click();
  expect(await entry.innerText()).toMatch(/[0-9a-f]{64}/);
});

test('the page lists what the account has received next to its address', async () => {
  await openPlace(page, 'Receive');
  const entries = page.locator('#received-list li');
  await entries.first().waitFor();
  const texts = await entries.allTextContents();
  expect(texts).toContainEqual(expect.stringMatching(/^ZReceived\+/));
  expect(texts.filter(text => text.startsWith('Sent'))).toEqual([]);
});

test('the page finds transactions older than the newest on the chain, filters them, and saves them', async () => {
  const gateway = new GatewayClient(scene.devnet.url, { timeoutMs: 120_000 });
  // The gateway of a busy machine may answer 503 to all of these requests at once.
  for (let block = 0; block < 11; block++) {
    await Promise.all(Array.from({ length: 10 }, () => gateway.faucet(SECOND)));
  }
  const newest = await gateway.recentTransactions(100);
  expect(newest.some(({ sender, recipient }) => [sender, recipient].includes(FIRST))).toBe(false);
  await openPlace(page, 'Home');
  await openPlace(page, 'Activity');
  await page.locator('#activity-state', { hasText: 'Payments, fees and escrows are complete' }).waitFor();
  const entries = page.locator('#activity-list li:not(.day)');
  await entries.filter({ hasText: 'invoice 42' }).first().waitFor();
  expect(await entries.filter({ hasText: 'Not verified' }).count()).toBe(0);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const saved = readFileSync(await (await saving).path(), 'utf8');
  // A CSV omits what changes no balance.
  const changing = entries.filter({ has: page.locator('.value:not(:empty)') });
  expect(saved.trim().split('\r\n').length).toBeGreaterThan(await changing.count());
  expect(saved).toContain(',"sent",-1.5,"ZBC",0.025,');
  await page.getByRole('searchbox').fill('invoice 42');
  await entries.nth(1).waitFor({ state: 'detached' });
  expect(await entries.count()).toBe(1);
  await page.getByRole('searchbox').fill('');
});

test.each([
  ['Activity', 'activity'],
  ['Escrow', 'escrow'],
])('a list of %s is not shown as empty if the gateway did not return it', async (name, id) => {
  const listed = /\/transactions\?limit/;
  await page.route(listed, route => route.fulfill({ body: 'nonsense' }));
  await openPlace(page, 'Home');
  await openPlace(page, name);
  await page.locator(`#${id}-list .bad`).waitFor();
  expect(await page.locator(`#no-${id}`).isVisible()).toBe(false);
  await page.unroute(listed);
});

test('the page selects no other asset if the selected asset disappears', async () => {
  const answered = /\/tokens$/;
  const chosen = page.locator('#send-asset');
  await openPlace(page, 'Send');
  await chosen.selectOption('1');
  await page.route(answered, route => route.fulfill({ body: '{"tokens":[]}' }));
  const reread = () => page.locator('#account').selectOption('0');
  await reread();
  await page.locator('#send-asset option').nth(1).waitFor({ state: 'detached' });
  expect(await chosen.inputValue()).toBe('');
  await page.unroute(answered);
  await reread();
  await page.locator('#send-asset option').nth(1).waitFor({ state: 'attached' });
  expect(await chosen.inputValue()).toBe('');
});

test('the page shows the status of signer and chain', async () => {
  await openPlace(page, 'Settings');
  expect(await page.locator('#about-chain').innerText()).toContain(scene.devnet.genesisHash);
  expect(await page.locator('#about-signer').innerText()).toMatch(/Firmware\s+\d+\.\d+\.\d+/);
});

test('the page did all of this without an error, and sent requests only to the gateway and the emulator', () => {
  expect(scene.complaints).toEqual([]);
  const origins = new Set(
    scene.requested.map(url => new URL(url).origin).filter(origin => origin !== 'null'),
  );
  expect([...origins].sort()).toEqual([scene.devnet.url, scene.server.api].sort());
});

test('a chain without a name is shown by its hash, and is not green', async () => {
  const other = await WalletScene.open(scene.context.browser()!, { devnet: { namedChain: false } });
  const chip = (await other.openTab()).locator('#network-chip', { hasText: 'UNKNOWN CHAIN' });
  await chip.waitFor();
  expect(await chip.getAttribute('data-state')).toBe('busy');
  await other.close();
});

describe('when things go wrong', () => {
  test('a gateway that is down causes an alarm, which ends when the gateway is back', async () => {
    await page.route('**/api/v1/**', route => route.abort());
    await page.locator('#alarms', { hasText: 'The gateway does not answer' }).waitFor();
    expect(await page.locator('#network-chip').getAttribute('data-state')).toBe('bad');
    expect(await page.locator('#network-chip').innerText()).toBe('The gateway does not answer');
    await page.unroute('**/api/v1/**');
    await page.locator('#alarms', { hasText: 'does not answer' }).waitFor({ state: 'detached' });
  });

  test('a gateway that is back is asked again for what it did not return', async () => {
    const asked = /\/(api\/v1|faucet)/;
    await page.route(asked, route => route.abort());
    await page.reload();
    await page.locator('#alarms', { hasText: 'does not answer' }).waitFor();
    await openPlace(page, 'Activity');
    await page.locator('#activity-list .bad').waitFor();
    await page.unroute(asked);
    await page.locator('#activity-list .entry').first().waitFor();
    await openPlace(page, 'Home');
    await page.locator('#faucet').waitFor();
  });

  test('a false refusal by the gateway is not believed: the recipient is paid again only if the user asks for it', async () => {
    await page.route('**/api/v1/transactions', route =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, body: '{"success":false,"error":"fee too low","code":400}' })
        : route.continue(),
    );
    await fillTransfer(page, SECOND, '0.35');
    await pressReview(page);
    await decide('approve');
    await result(page).locator('.bad', { hasText: 'Do not pay again before' }).waitFor();
    await closeTask(page);
    await page.locator('#unsettled li', { hasText: '0.35 ZBC' }).waitFor();
    await page.unroute('**/api/v1/transactions');

    await pressReview(page);
    await result(page).locator('.bad', { hasText: 'An earlier payment to this recipient' }).waitFor();
    await closeTask(page);
    const forget = page.getByRole('button', { name: 'Forget' });
    page.once('dialog', question => question.dismiss());
    await forget.click();
    await pressReview(page);
    await result(page).locator('.bad', { hasText: 'An earlier payment to this recipient' }).waitFor();
    await closeTask(page);
    page.once('dialog', question => question.accept());
    await forget.click();
    await pressReview(page);
    await decide('reject');
    await result(page).locator('.bad', { hasText: 'You rejected it' }).waitFor();
    await closeTask(page);
  });

  test('another chain at the same URL stops all signing', async () => {
    await page.route('**/api/v1/node/info', async route => {
      const response = await route.fetch();
      const info = await response.text();
      const genesisHash = new RegExp(scene.devnet.genesisHash, 'i');
      await route.fulfill({ response, body: info.replace(genesisHash, 'ab'.repeat(32)) });
    });
    await page.locator('#alarms', { hasText: 'serves another chain' }).waitFor();
    await fillTransfer(page, SECOND, '1');
    await pressReview(page);
    await result(page).locator('.bad', { hasText: 'changed to another chain. Nothing was signed' }).waitFor();
    await closeTask(page);
    await page.unroute('**/api/v1/node/info');
  });
});
