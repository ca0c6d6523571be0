import { parseAccount } from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import { parseSignedDocument, TransactionType } from '@zbc-signer/host';
import { Wallet } from '#wallet/page/wallet.js';
import { OTHER } from '../../testkit/chain-answers.js';
import { ModelChain } from '../../testkit/model-chain.js';
import { ModelBrowser } from './model-browser.js';

const KEY = 'zbc-wallet signed';
const DRAFT = { type: TransactionType.SendZbc, recipient: parseAccount(OTHER), amount: 5n };
const TITLE = 'Send 0.00000005 ZBC';

let emulator: Emulator;
let chain: ModelChain;
let profile: ModelBrowser;
beforeEach(async () => {
  emulator = await Emulator.start();
  chain = new ModelChain();
  profile = new ModelBrowser(emulator, chain, () => 0);
});
afterEach(() => emulator.stop());

async function openWallet(): Promise<Wallet> {
  const wallet = new Wallet({ url: 'http://gateway.test', browser: profile.openTab().browser, pollMs: 1 });
  await wallet.readChain();
  return wallet;
}

async function connectedWallet(): Promise<Wallet> {
  const wallet = await openWallet();
  await wallet.connect((await wallet.devices.request('hid'))!);
  return wallet;
}

/** Approved, and interrupted before anything was sent. */
async function signOnly(wallet: Wallet): Promise<void> {
  const abort = new AbortController();
  const sending = wallet.send(DRAFT, {
    title: TITLE,
    signal: abort.signal,
    onProgress: ({ step }) => step === 'signed' && abort.abort(),
  });
  sending.catch(() => undefined);
  await emulator.approve();
  await expect(sending).rejects.toMatchObject({ code: 'SUBMISSION_INTERRUPTED', facts: { sent: 'no' } });
}

const kept = () => JSON.parse(profile.stored.get(KEY) ?? '[]') as { title: string; document: string }[];

test('what was approved is kept as a document of the library, and sent by another tab from it', async () => {
  await signOnly(await connectedWallet());
  const [entry] = kept();
  expect(entry!.title).toBe(TITLE);
  expect(parseSignedDocument(entry!.document)).toMatchObject({ sent: 'maybe', transaction: { amount: 5n } });
  expect(chain.confirmed.size).toBe(0);

  const other = await openWallet();
  const [unsent] = other.unsent();
  await expect(other.resume(unsent!)).resolves.toMatchObject({ status: 'confirmed', duplicate: false });
  expect([...chain.confirmed.values()]).toEqual([5n]);
  expect(other.unsent()).toEqual([]);
  // As a tab does that has not seen it.
  await expect(other.resume(unsent!)).resolves.toMatchObject({ status: 'confirmed', duplicate: true });
  expect([...chain.confirmed.values()]).toEqual([5n]);
});

test('a document that does not verify is not offered, and those beside it are', async () => {
  await signOnly(await connectedWallet());
  const [{ title, document }] = kept() as [{ title: string; document: string }];
  const altered = document.replace(/("signature":")(..)/, '$1ff');
  const broken = [
    { title, document: altered },
    { title, document: '{' },
    { title, document },
    { title },
    null,
  ];
  profile.stored.set(KEY, JSON.stringify(broken));
  const wallet = await openWallet();
  expect(wallet.unsent()).toHaveLength(1);
  profile.stored.set(KEY, '{');
  expect(wallet.unsent()).toEqual([]);
});

test('a payment that is kept again after it was sent is offered again: the wallet forgets what it sends', async () => {
  const wallet = await connectedWallet();
  const sending = wallet.send(DRAFT, {
    title: TITLE,
    onProgress: ({ step }) => step === 'broadcast' && void (before = profile.stored.get(KEY)!),
  });
  let before = '';
  await emulator.approve();
  await sending;
  expect(wallet.unsent()).toEqual([]);
  // Another tab writes the list that it has read before.
  profile.stored.set(KEY, before);
  expect(wallet.unsent()).toHaveLength(1);
});
