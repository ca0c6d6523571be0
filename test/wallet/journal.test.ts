import { parseAccount, toHex } from '@zbc-signer/chain';
import type { Emulator } from '@zbc-signer/emulator';
import { formatDocument, parseSignedDocument, TransactionType } from '@zbc-signer/host';
import type { Browser } from '@zbc-signer/web';
import type { Wallet } from '#wallet/page/wallet.js';
import type { ModelChain } from '../../testkit/chain/model-chain.js';
import { OTHER } from '../../testkit/gateway/chain-answers.js';
import { until } from '../../testkit/time/until.js';
import type { ModelBrowser, ModelTab } from './model-browser.js';
import { startScene, walletIn } from './wallet-scene.js';

const DRAFT = { type: TransactionType.SendZbc, recipient: parseAccount(OTHER), amount: 5n };
const TITLE = 'Send 0.00000005 ZBC';

let emulator: Emulator;
let chain: ModelChain;
let profile: ModelBrowser;
beforeEach(async () => {
  ({ emulator, chain, profile } = await startScene());
});
afterEach(() => emulator.stop());

interface OpenTab {
  tab: ModelTab;
  wallet: Wallet;
}

async function openTab(changes: Partial<Browser> = {}): Promise<OpenTab> {
  const tab = profile.openTab();
  const wallet = walletIn({ ...tab.browser, ...changes });
  await wallet.readChain();
  await wallet.connect((await wallet.devices.request('hid'))!);
  return { tab, wallet };
}

const paid = () => [...chain.confirmed.values()];

/** The tab is gone as soon as the payment is kept; the chain has it if `isPosted`. */
async function payAndLose({ tab, wallet }: OpenTab, { isPosted }: { isPosted: boolean }): Promise<void> {
  if (!isPosted) {
    const keep = wallet.journal.signed.bind(wallet.journal);
    wallet.journal.signed = async payment => {
      await keep(payment);
      tab.close();
    };
  }
  const onProgress = ({ step }: { step: string }) => step === 'submitting' && tab.close();
  wallet.send(DRAFT, { title: TITLE, onProgress }).catch(() => undefined);
  await emulator.approve();
  await until(() => tab.isGone && (!isPosted || paid().length === 1));
}

test.each([
  ['before', false],
  ['after', true],
] as const)(
  'a tab that is killed %s the POST has its payment made once, by the next',
  async (_when, isPosted) => {
    await payAndLose(await openTab(), { isPosted });
    expect(paid()).toEqual(isPosted ? [5n] : []);

    const { wallet } = await openTab();
    await wallet.readJournal();
    expect(wallet.unsettled).toHaveLength(1);
    await wallet.resume();
    expect(wallet.resumed).toMatchObject([{ status: 'confirmed' }]);
    expect(wallet.unsettled).toEqual([]);
    expect(await wallet.journal.pending()).toEqual([]);
    expect(paid()).toEqual([5n]);
    wallet.noteSeen(wallet.resumed[0]!.payment.transactionHash);
    expect(wallet.resumed).toEqual([]);
  },
);

test('another tab neither shows nor sends what a tab that lives is sending', async () => {
  const [{ wallet }, other] = [await openTab(), walletIn(profile.openTab().browser)];
  await other.readChain();
  const keep = wallet.journal.signed.bind(wallet.journal);
  wallet.journal.signed = async payment => {
    await keep(payment);
    await other.readJournal();
    await other.resume();
    expect(paid()).toEqual([]);
    expect([other.unsettled, other.resumed]).toEqual([[], []]);
  };
  const sending = wallet.send(DRAFT, { title: TITLE });
  await emulator.approve();
  await expect(sending).resolves.toMatchObject({ status: 'confirmed' });
  expect(paid()).toEqual([5n]);
});

test('equal payments of two tabs in one second are two payments', async () => {
  const [first, second] = [await openTab(), walletIn(profile.openTab().browser)];
  await second.readChain();
  await second.connect((await second.devices.list())[0]!);
  const pay = async (wallet: Wallet) => {
    await wallet.signer!.useHere();
    await wallet.readDevice();
    const sending = wallet.send(DRAFT, { title: TITLE });
    await emulator.approve();
    return sending;
  };
  const timestamps = [await pay(first.wallet), await pay(second)].map(
    ({ transaction }) => transaction.timestamp,
  );
  expect(new Set(timestamps).size).toBe(2);
  expect(paid()).toEqual([5n, 5n]);
});

test('the recipient of what is kept is not paid again until it is forgotten', async () => {
  await payAndLose(await openTab(), { isPosted: false });
  const { wallet } = await openTab();
  const again = wallet.send({ ...DRAFT, amount: 6n }, { title: TITLE });
  await expect(again).rejects.toMatchObject({ code: 'UNSETTLED_PAYMENT' });
  expect(wallet.unsettled).toHaveLength(1);
  await wallet.forget(wallet.unsettled[0]!.transactionHash);
  expect(wallet.unsettled).toEqual([]);
  const sending = wallet.send({ ...DRAFT, amount: 6n }, { title: TITLE });
  await emulator.approve();
  await sending;
  expect(paid()).toEqual([6n]);
});

test('a payment that a node has, but that was not seen confirmed, is listed and stops a new payment', async () => {
  await payAndLose(await openTab(), { isPosted: false });
  const { wallet } = await openTab();
  const { transactionHash } = (await wallet.journal.pending())[0]!;
  await wallet.journal.signed((await wallet.journal.pending())[0]!);
  await wallet.journal.ended(transactionHash, 'accepted');
  await wallet.readJournal();
  expect(wallet.unsettled).toMatchObject([{ sent: 'yes' }]);
});

test('a damaged entry is named, and stops payments until it is forgotten', async () => {
  await payAndLose(await openTab(), { isPosted: false });
  const { wallet } = await openTab();
  const { transactionHash } = (await wallet.journal.pending())[0]!;
  const opened = profile.database.open('zbc-signer payments', 1);
  await new Promise(resolve => {
    opened.onsuccess = resolve;
  });
  opened.result.transaction('payments', 'readwrite').objectStore('payments').put('{', toHex(transactionHash));
  opened.result.close();
  const damaged = { code: 'JOURNAL_FAILED', facts: { earlierHash: toHex(transactionHash) } };
  await wallet.readJournal();
  expect(wallet.journalError).toMatchObject(damaged);
  await expect(wallet.send(DRAFT, { title: TITLE })).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
  expect(emulator.reviewing).toBe(false);
  await wallet.forget(transactionHash);
  expect(wallet.journalError).toBeUndefined();
});

test('without IndexedDB nothing is put to the user, and nothing is sent', async () => {
  const { wallet } = await openTab({ indexedDB: undefined });
  await expect(wallet.send(DRAFT, { title: TITLE })).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
  expect(wallet.journalError).toMatchObject({ code: 'JOURNAL_FAILED' });
  expect(emulator.reviewing).toBe(false);
  expect(paid()).toEqual([]);
});

test('IndexedDB that fails after the approval sends nothing, and leaves nothing to send later', async () => {
  const { wallet } = await openTab();
  wallet.journal.signed = () => Promise.reject(new Error('the disk is full'));
  const sending = wallet.send(DRAFT, { title: TITLE });
  sending.catch(() => undefined);
  await emulator.approve();
  await expect(sending).rejects.toMatchObject({ code: 'JOURNAL_FAILED', facts: { sent: 'no' } });
  expect(await wallet.journal.pending()).toEqual([]);
  expect(paid()).toEqual([]);
});

test('a transaction signed into a document is sent from it once, and only to its own chain', async () => {
  const { wallet } = await openTab();
  const signing = wallet.signForLater(DRAFT, { title: TITLE });
  const [signed] = await Promise.all([signing, emulator.approve()]);
  const document = formatDocument(signed);
  await wallet.resume();
  expect(wallet.unsettled).toMatchObject([{ isHeld: true, transactionHash: signed.transactionHash }]);
  await expect(wallet.send(DRAFT, { title: TITLE })).rejects.toMatchObject({ code: 'UNSETTLED_PAYMENT' });
  expect(paid()).toEqual([]);
  const other = { ...parseSignedDocument(document), genesisHash: new Uint8Array(32) };
  await expect(wallet.submit(other, { title: TITLE })).rejects.toThrow('another chain');
  expect(paid()).toEqual([]);
  expect(await wallet.submit(parseSignedDocument(document), { title: TITLE })).toMatchObject({
    status: 'confirmed',
  });
  await expect(wallet.submit(parseSignedDocument(document), { title: TITLE })).rejects.toMatchObject({
    code: 'DUPLICATE_TRANSACTION',
  });
  expect(wallet.resumed).toMatchObject([{ status: 'confirmed' }]);
  expect(wallet.unsettled).toEqual([]);
  expect(paid()).toEqual([5n]);
});
