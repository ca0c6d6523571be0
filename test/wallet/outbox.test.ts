import { parseAccount } from '@zbc-signer/chain';
import type { Emulator } from '@zbc-signer/emulator';
import { parseSignedDocument, TransactionType } from '@zbc-signer/host';
import type { BrowserStorage } from '@zbc-signer/web';
import { Outbox, type SignedEntry } from '#wallet/page/outbox.js';
import type { Wallet } from '#wallet/page/wallet.js';
import type { ModelChain } from '../../testkit/chain/model-chain.js';
import { OTHER } from '../../testkit/gateway/chain-answers.js';
import type { ModelBrowser } from './model-browser.js';
import { startScene, walletIn } from './wallet-scene.js';

const PREFIX = 'zbc-wallet signed ';
const DRAFT = { type: TransactionType.SendZbc, recipient: parseAccount(OTHER), amount: 5n };
const TITLE = 'Send 0.00000005 ZBC';

let emulator: Emulator;
let chain: ModelChain;
let profile: ModelBrowser;
beforeEach(async () => {
  ({ emulator, chain, profile } = await startScene());
});
afterEach(() => emulator.stop());

async function openWallet(): Promise<Wallet> {
  const wallet = walletIn(profile.openTab().browser);
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

const kept = () =>
  [...profile.stored]
    .filter(([key]) => key.startsWith(PREFIX))
    .map(([key, value]) => ({ key, ...(JSON.parse(value) as { title: string; document: string }) }));

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

test('the recipient of what is kept is not paid again until it is forgotten', async () => {
  const wallet = await connectedWallet();
  await signOnly(wallet);
  const again = wallet.send({ ...DRAFT, amount: 6n }, { title: TITLE });
  await expect(again).rejects.toMatchObject({ code: 'UNSETTLED_PAYMENT' });
  wallet.forget(wallet.unsent()[0]!);
  await signOnly(wallet);
});

test('a document that does not verify is not offered, and those beside it are', async () => {
  await signOnly(await connectedWallet());
  const [{ key, title, document }] = kept() as [ReturnType<typeof kept>[0]];
  const altered = document.replace(/("signature":")(..)/, '$1ff');
  const broken = [
    JSON.stringify({ title, document: altered }),
    JSON.stringify({ title, document: '{' }),
    JSON.stringify({ title }),
    JSON.stringify({ document }),
    'null',
    '{',
    // It would not go away.
    JSON.stringify({ title, document }),
  ];
  broken.forEach((text, i) => {
    profile.stored.set(`${PREFIX}${i}`, text);
  });
  const wallet = await openWallet();
  expect(wallet.unsent()).toHaveLength(1);
  profile.stored.set(key, JSON.stringify({ title, document: altered }));
  expect(wallet.unsent()).toEqual([]);
});

/** The storage as two processes of a browser see it: what one writes, the other sees later. */
function twoProcesses() {
  const written: [key: string, value: string | undefined][] = [];
  const views = [new Map<string, string>(), new Map<string, string>()] as const;
  const put = (view: Map<string, string>, key: string, value: string | undefined) => {
    if (value === undefined) view.delete(key);
    else view.set(key, value);
  };
  const open = (view: Map<string, string>): BrowserStorage => {
    const write = (key: string, value?: string) => {
      put(view, key, value);
      written.push([key, value]);
    };
    return {
      get length() {
        return view.size;
      },
      key: index => [...view.keys()][index] ?? null,
      getItem: key => view.get(key) ?? null,
      setItem: write,
      removeItem: key => write(key),
    };
  };
  const settle = () => {
    for (const [key, value] of written.splice(0)) for (const view of views) put(view, key, value);
  };
  return { storages: [open(views[0]), open(views[1])] as const, settle };
}

test('of two tabs that keep and forget at a time neither undoes what the other does; the oldest is first', async () => {
  const wallet = await connectedWallet();
  const signed: SignedEntry[] = [];
  // Equal payments have timestamps of their own, and the next is not made while one is kept.
  for (let at = 0; at < 3; at++) {
    await signOnly(wallet);
    signed.push(...wallet.unsent());
    wallet.forget(signed[at]!);
  }
  const [a, b, c] = signed as [SignedEntry, SignedEntry, SignedEntry];
  const { storages, settle } = twoProcesses();
  const [first, second] = [new Outbox(storages[0]), new Outbox(storages[1])];
  first.add(a);
  settle();
  second.add(b);
  first.remove(a.signed);
  first.add(c);
  settle();
  const timestampOf = ({ signed }: SignedEntry) => signed.transaction.timestamp;
  const left = [b, c].map(timestampOf);
  expect(left[0]).toBeLessThan(left[1]!);
  expect(first.list().map(timestampOf)).toEqual(left);
  expect(second.list().map(timestampOf)).toEqual(left);
});

test('a payment that is kept again after it was sent is offered again: the wallet forgets what it sends', async () => {
  const wallet = await connectedWallet();
  const sending = wallet.send(DRAFT, {
    title: TITLE,
    onProgress: ({ step }) => step === 'broadcast' && void (before = new Map(profile.stored)),
  });
  let before = new Map<string, string>();
  await emulator.approve();
  await sending;
  expect(wallet.unsent()).toEqual([]);
  // The browser was closed before it had written this to the disk.
  for (const [key, value] of before) profile.stored.set(key, value);
  expect(wallet.unsent()).toHaveLength(1);
});
