import { parseAccount, toHex } from '@zbc-signer/chain';
import type { Emulator } from '@zbc-signer/emulator';
import { formatDocument, parseSignedDocument, TransactionType } from '@zbc-signer/host';
import { readChain } from '#wallet/page/chain.js';
import { forget, readJournal, resume, send, signForLater, submit } from '#wallet/page/payments.js';
import { connect } from '#wallet/page/signer.js';
import type { Wallet } from '#wallet/page/wallet.js';
import { describePending } from '#wallet/page/words.js';
import type { ModelChain } from '../../testkit/chain/model-chain.js';
import { OTHER } from '../../testkit/gateway/chain-answers.js';
import { until } from '../../testkit/time/until.js';
import type { ModelBrowser, ModelTab } from '../../testkit/wallet/model-browser.js';
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

async function openTab(): Promise<OpenTab> {
  const tab = profile.openTab();
  const wallet = walletIn(tab.browser);
  await readChain(wallet);
  await connect(wallet, (await wallet.devices.request('hid'))!);
  return { tab, wallet };
}

const paid = () => [...chain.confirmed.values()];

/**
 * Pays, and closes the tab as soon as the journal has the payment; the chain receives it only if `isPosted`.
 */
async function payAndLose({ tab, wallet }: OpenTab, { isPosted }: { isPosted: boolean }): Promise<void> {
  if (!isPosted) {
    const keep = wallet.journal.signed.bind(wallet.journal);
    wallet.journal.signed = async payment => {
      await keep(payment);
      tab.close();
    };
  }
  const onProgress = ({ step }: { step: string }) => step === 'submitting' && tab.close();
  send(wallet, DRAFT, { title: TITLE, onProgress }).catch(() => undefined);
  await emulator.approve();
  await until(() => tab.isGone && (!isPosted || paid().length === 1));
}

test('the recipient of a stored payment is not paid again until the payment is forgotten', async () => {
  await payAndLose(await openTab(), { isPosted: false });
  const { wallet } = await openTab();
  const again = send(wallet, { ...DRAFT, amount: 6n }, { title: TITLE });
  await expect(again).rejects.toMatchObject({ code: 'UNSETTLED_PAYMENT' });
  expect(wallet.state.unsettled).toHaveLength(1);
  await forget(wallet, wallet.state.unsettled[0]!.transactionHash);
  expect(wallet.state.unsettled).toEqual([]);
  const sending = send(wallet, { ...DRAFT, amount: 6n }, { title: TITLE });
  await emulator.approve();
  await sending;
  expect(paid()).toEqual([6n]);
});

test('a payment that a node accepted but that is not confirmed is listed, and prevents a new payment', async () => {
  await payAndLose(await openTab(), { isPosted: false });
  const { wallet } = await openTab();
  const { transactionHash } = (await wallet.journal.pending())[0]!;
  await wallet.journal.signed((await wallet.journal.pending())[0]!);
  await wallet.journal.ended(transactionHash, 'accepted');
  await readJournal(wallet);
  expect(wallet.state.unsettled).toMatchObject([{ sent: 'yes' }]);
});

test('a damaged entry is reported, and prevents payments until it is forgotten', async () => {
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
  await readJournal(wallet);
  expect(wallet.state.journalError).toMatchObject(damaged);
  await expect(send(wallet, DRAFT, { title: TITLE })).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
  expect(emulator.reviewing).toBe(false);
  await forget(wallet, transactionHash);
  expect(wallet.state.journalError).toBeUndefined();
});

test('an unsettled payment is described by what is true of it', async () => {
  const { wallet } = await openTab();
  const signing = signForLater(wallet, DRAFT, { title: TITLE });
  await Promise.all([signing, emulator.approve()]);
  const [inFile] = wallet.state.unsettled;
  const held = describePending(inFile!, 'noon');
  expect(held).toContain('`zbc-signer tx submit FILE`');
  expect(held).toContain('until noon');
  expect(held).not.toContain('changes nothing');
  for (const sent of ['maybe', 'yes'] as const) {
    const words = describePending({ ...inFile!, isHeld: false, sent }, 'noon');
    expect(words).toContain('again changes nothing if the chain already has it');
    expect(words).not.toContain('file');
    expect(words.includes('A node has it')).toBe(sent === 'yes');
  }
});

test('a signed document is sent once, and only to its own chain', async () => {
  const { wallet } = await openTab();
  const signing = signForLater(wallet, DRAFT, { title: TITLE });
  const [signed] = await Promise.all([signing, emulator.approve()]);
  const document = formatDocument(signed);
  await resume(wallet);
  expect(wallet.state.unsettled).toMatchObject([{ isHeld: true, transactionHash: signed.transactionHash }]);
  await expect(send(wallet, DRAFT, { title: TITLE })).rejects.toMatchObject({ code: 'UNSETTLED_PAYMENT' });
  expect(paid()).toEqual([]);
  const other = { ...parseSignedDocument(document), genesisHash: new Uint8Array(32) };
  await expect(submit(wallet, other, { title: TITLE })).rejects.toThrow('another chain');
  expect(paid()).toEqual([]);
  expect(await submit(wallet, parseSignedDocument(document), { title: TITLE })).toMatchObject({
    status: 'confirmed',
  });
  expect(await submit(wallet, parseSignedDocument(document), { title: TITLE })).toMatchObject({
    status: 'confirmed',
    duplicate: true,
  });
  expect(wallet.state.unsettled).toEqual([]);
  expect(paid()).toEqual([5n]);
});

describe('a signed document in the journal', () => {
  const sign = async ({ wallet }: OpenTab, amount = 5n) => {
    const signing = signForLater(wallet, { ...DRAFT, amount }, { title: TITLE });
    const [signed] = await Promise.all([signing, emulator.approve()]);
    return parseSignedDocument(formatDocument(signed));
  };

  test('is kept if its tab is killed before the first byte is sent', async () => {
    const open = await openTab();
    const signed = await sign(open);
    const answer = chain.answer.bind(chain);
    chain.answer = (asked, body) => {
      open.tab.close();
      return answer(asked, body);
    };
    submit(open.wallet, signed, { title: TITLE }).catch(() => undefined);
    await until(() => open.tab.isGone);
    chain.answer = answer;
    const { wallet } = await openTab();
    await readJournal(wallet);
    expect(wallet.state.unsettled).toMatchObject([{ transactionHash: signed.transactionHash }]);
    await expect(send(wallet, DRAFT, { title: TITLE })).rejects.toMatchObject({ code: 'UNSETTLED_PAYMENT' });
  });

  test('is not offered in a tab while another tab sends it, nor in a page of another chain', async () => {
    const [one, other] = [await openTab(), await openTab()];
    await connect(one.wallet, (await one.wallet.devices.list())[0]!);
    const signed = await sign(one);
    await readJournal(other.wallet);
    expect(other.wallet.state.unsettled).toMatchObject([{ transactionHash: signed.transactionHash }]);
    other.wallet.change({ genesisHash: new Uint8Array(32) });
    await readJournal(other.wallet);
    expect(other.wallet.state.unsettled).toEqual([]);
    other.wallet.change({ genesisHash: one.wallet.state.genesisHash });
    await one.wallet.journal.signed(signed);
    await readJournal(other.wallet);
    expect(other.wallet.state.unsettled).toEqual([]);
  });

  test('is neither sent nor forgotten while another payment to its recipient may be sent', async () => {
    const open = await openTab();
    const { wallet } = open;
    const first = await sign(open);
    await forget(wallet, first.transactionHash);
    const second = await sign(open, 6n);
    await wallet.journal.keepHeld(first);
    await readJournal(wallet);
    await expect(submit(wallet, first, { title: TITLE })).rejects.toMatchObject({
      code: 'UNSETTLED_PAYMENT',
    });
    expect(paid()).toEqual([]);
    const kept = wallet.state.unsettled.map(({ transactionHash }) => toHex(transactionHash));
    expect(new Set(kept)).toEqual(new Set([first, second].map(each => toHex(each.transactionHash))));
  });
});

test('the outcome of a resumed payment is still shown after payments are resumed again', async () => {
  await payAndLose(await openTab(), { isPosted: true });
  const { wallet } = await openTab();
  await resume(wallet);
  const [made] = wallet.state.resumed;
  expect(made).toMatchObject({ status: 'confirmed' });
  await resume(wallet);
  expect(wallet.state.resumed).toEqual([made]);
});
