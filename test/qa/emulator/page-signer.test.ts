import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Devnet, startDevnet } from '@zbc-signer/devnet';
import { Emulator, restoreSeed } from '@zbc-signer/emulator';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { root } from '../../../testkit/repository/repository.js';
import { accounts } from '../../../testkit/repository/vectors.js';
import { faultsOf } from '../../../testkit/screen/layout.js';
import {
  fillTransfer,
  pressReview,
  requestCoins,
  result,
  shownItems,
} from '../../../testkit/screen/wallet-page.js';
import { launchChromium } from '../../../tools/chromium.js';

const BUNDLE = join(root, 'emulator/dist/browser.js');
const SECOND = accounts.cases[1]!.address;
const PIN = '246819';
const ROLLS = '25361446123564125361462153614532165412365143265143';

let devnet: Devnet;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [devnet, browser] = await Promise.all([
    startDevnet({ blockTimeMs: 400, namedChain: true }),
    launchChromium(),
  ]);
  context = await browser.newContext();
  context.setDefaultTimeout(120_000);
  const script = readFileSync(BUNDLE, 'utf8');
  await context.route('**/signer.js', route =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  const blank = { contentType: 'text/html', body: '<!doctype html><body>' };
  await context.route('**/signer', route => route.fulfill(blank));
});
afterAll(async () => {
  await browser?.close();
  await devnet?.stop();
});

/** A page of the wallet's origin with the package, and in it what the code defines. */
async function openSigner(code: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${devnet.url}/signer`);
  await page.evaluate(`import('/signer.js').then(async zbc => { globalThis.zbc = zbc; ${code} })`);
  return page;
}

test('the wallet pays with a signer in another tab, and without an emulator process', async () => {
  const signer = await openSigner(
    `globalThis.signer = await zbc.PageSigner.start(); signer.mount(document.body); zbc.plugSigner(signer);`,
  );
  const contents = `import { joinSigner } from ${JSON.stringify(BUNDLE)}; joinSigner();`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'iife',
    write: false,
  });
  const page = await context.newPage();
  await page.addInitScript(outputFiles[0]!.text);
  await page.goto(`${devnet.url}/wallet/`);
  await page.getByRole('button', { name: 'Connect over USB' }).click();
  await page.locator('#wallet').waitFor();
  await requestCoins(page);
  await fillTransfer(page, SECOND, '1.5');
  await pressReview(page);
  const items = await shownItems(page);
  expect(await signer.evaluate('signer.review()')).toEqual(items);
  expect(items).toContainEqual(['Recipient', SECOND]);
  await signer.getByRole('button', { name: 'both' }).click();
  await result(page).locator('.good', { hasText: 'Confirmed in block' }).waitFor();
  await signer.close();
  await page.locator('#away').waitFor();
});

test('a seed that the device made in a page is kept under its PIN, and is the seed of its words', async () => {
  const start = `globalThis.signer = await zbc.PageSigner.start({ keystore: { vault: new zbc.LocalVault() } });`;
  const first = await openSigner(start);
  const made = await first.evaluate<{ mnemonic: string; fingerprint: string }>(
    `zbc.createSeed(signer, { record: '${ROLLS}', pin: '${PIN}' })`,
  );
  await first.close();
  const second = await openSigner(start);
  expect(await second.evaluate(`zbc.unlockSeed(signer, '${PIN}')`)).toBe(made.fingerprint);
  const emulator = await Emulator.start({ keystore: {} });
  expect(restoreSeed(emulator, made.mnemonic)).toBe(made.fingerprint);
  await emulator.stop();
});

test('try.html, opened from the disk, makes a seed, signs, and shows a refusal', async () => {
  execFileSync(process.execPath, [join(root, 'dist/tools/build/build-try.js')]);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  await page.goto(pathToFileURL(join(root, 'dist/reference/try.html')).href);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const received = (text: RegExp) => page.locator('#result', { hasText: text }).waitFor();
  const shows = (text: string) => page.locator('#device p', { hasText: text }).waitFor();
  await shows('ZBC Signer · is ready');
  expect(await faultsOf(page)).toEqual([]);
  await press('A new seed');
  await press('Roll the dice for me');
  await received(/(\w+ ){11}\w+\s+Fingerprint [0-9a-f]{8}/);
  await press('A signed message');
  await page.locator('#expected', { hasText: 'Hello from this page' }).waitFor();
  for (let pages = 0; pages < 9 && !(await page.getByText('approve: press both').isVisible()); pages++) {
    await page.keyboard.press('ArrowRight');
  }
  await press('both');
  await received(/verified the signature [0-9a-f]{128}/);
  await press('A payment from the account of somebody else');
  await received(/DEVICE_REFUSED|refused/);
  await press('An address');
  await shows('Address');
  expect(await page.getByRole('button', { name: 'A signed message' }).isDisabled()).toBe(true);
  await press('A new seed');
  await page.locator('#message:enabled').waitFor();
  // The seed has been begun by hand.
  await press('both');
  await press('right');
  await press('Roll the dice for me');
  await received(/(\w+ ){11}\w+\s+Fingerprint [0-9a-f]{8}/);
  // Of starts that overlap, the last one is shown and signs.
  await page.evaluate(`['test', 'roll', 'fresh', 'test'].forEach(id => document.getElementById(id).click())`);
  await shows('ZBC Signer · is ready');
  await page.locator('#message:enabled').click();
  await shows('Account');
  expect(await page.locator('#device p').count()).toBe(1);
  expect(await page.locator('#roll').isHidden()).toBe(true);
  expect(complaints).toEqual([]);
  await page.close();
});
