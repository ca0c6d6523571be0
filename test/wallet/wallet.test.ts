import { fromHex, parseAccount } from '@zbc-signer/chain';
import type { Emulator } from '@zbc-signer/emulator';
import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { SharedSigner, WebDevices } from '@zbc-signer/web';
import { addAccount, readHoldings } from '#wallet/page/accounts.js';
import { acceptChain, findFaucet, readChain } from '#wallet/page/chain.js';
import { send, signForLater, submit } from '#wallet/page/payments.js';
import { compareAddress, notePlug, signMessage } from '#wallet/page/signer.js';
import { gatewayError, isChainChanged, shownAccount } from '#wallet/page/state.js';
import type { Wallet } from '#wallet/page/wallet.js';
import type { ModelChain } from '../../testkit/chain/model-chain.js';
import { OTHER, OWN } from '../../testkit/gateway/chain-answers.js';
import { accounts } from '../../testkit/repository/vectors.js';
import type { ModelBrowser } from '../../testkit/wallet/model-browser.js';
import { connectedWallet, startScene, walletIn } from './wallet-scene.js';

let emulator: Emulator;
let chain: ModelChain;
let profile: ModelBrowser;

beforeEach(async () => {
  ({ emulator, chain, profile } = await startScene());
});
afterEach(() => emulator.stop());

const openWallet = () => connectedWallet(profile);

/** Makes the gateway answer requests with invalid data if their path matches. */
function spoil(path: RegExp): void {
  const answer = chain.answer.bind(chain);
  chain.answer = (asked, body) => (path.test(asked) ? new Response('nonsense') : answer(asked, body));
}

describe('a gateway that fails for some routes', () => {
  test.each([
    ['the chain', /node\/info/],
    ['the balance', /accounts\/[^/]+$/],
    ['the tokens', /accounts\/[^/]+\/tokens/],
  ])(
    'is reported as malformed if it fails for %s, in whichever order its answers are read',
    async (_what, path) => {
      const wallet = await openWallet();
      expect(gatewayError(wallet.state)).toBeUndefined();
      spoil(path);
      await readChain(wallet);
      await readHoldings(wallet);
      expect(gatewayError(wallet.state)).toMatchObject({ code: 'GATEWAY_MALFORMED' });
      await readHoldings(wallet);
      await readChain(wallet);
      expect(gatewayError(wallet.state)).toMatchObject({ code: 'GATEWAY_MALFORMED' });
    },
  );
});

test('the wallet also asks after a reload before it uses another chain', async () => {
  const first = (await openWallet()).state.genesisHash!;
  const other = 'ab'.repeat(32);
  const answer = chain.answer.bind(chain);
  chain.answer = (asked, body) => {
    if (!/node\/info/.test(asked)) return answer(asked, body);
    return new Response(JSON.stringify({ genesis_hash: other, height: 1 }));
  };
  const reload = async () => {
    const wallet = walletIn(profile.openTab().browser);
    await readChain(wallet);
    return wallet;
  };
  const reloaded = await reload();
  expect([isChainChanged(reloaded.state), reloaded.state.genesisHash]).toEqual([true, first]);
  expect(isChainChanged((await reload()).state)).toBe(true);
  acceptChain(reloaded);
  const accepted = await reload();
  expect([isChainChanged(accepted.state), Buffer.from(accepted.state.genesisHash!).toString('hex')]).toEqual([
    false,
    other,
  ]);
});

/** Makes the gateway serve another chain from now on. */
function changeChain(): void {
  const answer = chain.answer.bind(chain);
  chain.answer = (asked, body) =>
    /node\/info/.test(asked)
      ? Response.json({ genesis_hash: 'ab'.repeat(32), signing_version: 2, height: 1 })
      : answer(asked, body);
}

const DRAFT = { type: SEND_ZBC, recipient: parseAccount(OTHER), amount: 5n } as const;

describe('a payment', () => {
  const title = 'Send';

  test('is made for no chain but the first, whichever chain the gateway serves now', async () => {
    const wallet = await openWallet();
    changeChain();
    await expect(send(wallet, DRAFT, { title })).rejects.toMatchObject({ code: 'WRONG_CHAIN' });
    expect(emulator.reviewing).toBe(false);
  });

  test('that is in a document is not sent while the gateway serves another chain', async () => {
    const wallet = await openWallet();
    const signing = signForLater(wallet, DRAFT, { title });
    const [signed] = await Promise.all([signing, emulator.approve()]);
    changeChain();
    await readChain(wallet);
    await expect(submit(wallet, signed, { title })).rejects.toThrow('another chain');
    expect(chain.confirmed.size).toBe(0);
  });

  test('with a fee above 0.1 ZBC is refused before the device is asked', async () => {
    const wallet = await openWallet();
    const answer = chain.answer.bind(chain);
    chain.answer = (asked, body) =>
      /estimate-fee/.test(asked) ? Response.json({ minimum_fee: 10_000_001 }) : answer(asked, body);
    await expect(send(wallet, DRAFT, { title })).rejects.toMatchObject({ code: 'FEE_TOO_HIGH' });
    expect(emulator.reviewing).toBe(false);
  });

  test('is signed by the chosen account', async () => {
    const wallet = await openWallet();
    await addAccount(wallet);
    const answer = chain.answer.bind(chain);
    chain.answer = (asked, body) =>
      /accounts\/[^/]+$/.test(asked) ? answer(`/api/v1/accounts/${OWN}`, body) : answer(asked, body);
    const [signed] = await Promise.all([signForLater(wallet, DRAFT, { title }), emulator.approve()]);
    expect(Buffer.from(signed.publicKey).toString('hex')).toBe(accounts.cases[1]!.public_key);
  });
});

test('the balance is that of the last answer', async () => {
  const wallet = await openWallet();
  await readHoldings(wallet);
  const answer = chain.answer.bind(chain);
  chain.answer = (asked, body) =>
    asked.endsWith(OWN) ? Response.json({ balance: 7, spendable_balance: 6 }) : answer(asked, body);
  await readHoldings(wallet);
  expect(shownAccount(wallet.state)?.balance).toMatchObject({ balance: 7n, spendable: 6n });
});

test('a disconnected device of another kind does not affect the device in use', async () => {
  const wallet = await openWallet();
  notePlug(wallet, { type: 'disconnected', kind: 'usb' });
  expect(wallet.state.deviceError).toBeUndefined();
});

test('a signer that is closed during its work becomes available to other tabs', async () => {
  const open = async () => {
    const { browser } = profile.openTab();
    return new SharedSigner((await new WebDevices({ browser }).list())[0]!, browser);
  };
  const [first, second] = [await open(), await open()];
  let closing: Promise<void> | undefined;
  await first.run(async signer => {
    await signer.getVersion();
    closing = first.close();
  });
  await expect(first.run(signer => signer.getVersion())).rejects.toMatchObject({ code: 'TRANSPORT_FAILED' });
  await closing;
  expect(await second.run(signer => signer.getVersion())).toMatchObject({ locked: false });
});

test.each<[string, (wallet: Wallet, signal: AbortSignal) => Promise<unknown>]>([
  ['confirms no address', (wallet, signal) => compareAddress(wallet, signal)],
  ['signs nothing', (wallet, signal) => signMessage(wallet, new TextEncoder().encode('hello'), signal)],
])('a signer whose accounts are no longer those of the page %s', async (_what, ask) => {
  const wallet = await openWallet();
  const [shown, other] = [wallet.state.accounts[0]!, accounts.cases[1]!];
  wallet.change({ accounts: [{ ...shown, address: other.address, publicKey: fromHex(other.public_key) }] });
  const asking = ask(wallet, new AbortController().signal);
  asking.catch(() => undefined);
  await emulator.waitForReview();
  await emulator.approve();
  await expect(asking).rejects.toThrow('another account');
});

test('the wallet gives up a connection to a faucet whose response never ends', async () => {
  const wallet = await openWallet();
  let isGivenUp = false;
  const body = new ReadableStream({
    cancel: () => {
      isGivenUp = true;
    },
  });
  chain.answer = () => new Response(body);
  await findFaucet(wallet);
  expect(wallet.state.hasFaucet).toBe(true);
  expect(isGivenUp).toBe(true);
});
