import type { Emulator } from '@zbc-signer/emulator';
import { addAccount, discoverAccounts, readHoldings, watchAccounts } from '#wallet/page/accounts.js';
import { readChain } from '#wallet/page/chain.js';
import { connect, disconnect, signMessage } from '#wallet/page/signer.js';
import { shownAccount } from '#wallet/page/state.js';
import type { Wallet } from '#wallet/page/wallet.js';
import type { ModelChain } from '../../testkit/chain/model-chain.js';
import { accounts } from '../../testkit/repository/vectors.js';
import type { ModelBrowser } from '../../testkit/wallet/model-browser.js';
import { startScene, walletIn } from './wallet-scene.js';

let emulator: Emulator;
let chain: ModelChain;
let profile: ModelBrowser;

beforeEach(async () => {
  ({ emulator, chain, profile } = await startScene());
});
afterEach(() => emulator.stop());

/** Makes the chain know only these addresses. */
function know(...addresses: string[]): void {
  const answer = chain.answer.bind(chain);
  chain.answer = (asked, body) => {
    const [, address] = /\/accounts\/([^/]+)$/.exec(asked) ?? [];
    if (address === undefined) return answer(asked, body);
    return addresses.includes(address)
      ? new Response('{"balance":1,"spendable_balance":1}')
      : new Response('{"success":false,"error":"unknown","code":404}', { status: 404 });
  };
}

async function connectDevice(wallet: Wallet): Promise<Wallet> {
  await readChain(wallet);
  await connect(wallet, (await wallet.devices.list())[0]!);
  return wallet;
}

const openWallet = () => walletIn(profile.openTab().browser);

/** The address of an account of the signer, as another wallet learns it. */
async function addressOf(index: number): Promise<string> {
  const wallet = await connectDevice(walletIn(profile.openTab().browser));
  const { address } = await wallet.state.signer!.run(device => device.getPublicKey(index));
  await disconnect(wallet);
  profile.stored.clear();
  return address;
}

test('the first visit finds the accounts that the chain knows, across a gap of four unused accounts', async () => {
  const fifth = await addressOf(5);
  know(fifth);
  const wallet = await connectDevice(openWallet());
  expect(wallet.state.accounts).toHaveLength(6);
  expect(wallet.state.accounts[5]!.address).toBe(fifth);
  expect(wallet.state.isDiscovering).toBe(false);
});

test('a gap of five unused accounts ends the search, and the first account is always listed', async () => {
  know(await addressOf(6));
  const wallet = await connectDevice(openWallet());
  expect(wallet.state.accounts.map(({ address }) => address)).toEqual([accounts.cases[0]!.address]);
});

test('accounts are shown without the signer only while the user has chosen to watch them', async () => {
  const first = await connectDevice(openWallet());
  expect(openWallet().state.accounts).toEqual([]);
  watchAccounts(first, true);
  await addAccount(first);
  const watching = openWallet();
  expect(watching.state.accounts.map(({ address }) => address)).toEqual(
    accounts.cases.slice(0, 2).map(({ address }) => address),
  );
  await readHoldings(watching);
  expect(shownAccount(watching.state)?.balance).toBeDefined();
  await expect(signMessage(watching, new Uint8Array(1), new AbortController().signal)).rejects.toThrow(
    'connect the signer',
  );
  watchAccounts(watching, false);
  expect(openWallet().state.accounts).toEqual([]);
});

test("damaged entries in the browser's storage are not watched", () => {
  profile.stored.set('zbc-wallet watched', 'nonsense');
  expect(openWallet().state.accounts).toEqual([]);
});

test('accounts that are found for a device are not listed once another device is connected', async () => {
  const wallet = await connectDevice(openWallet());
  const discovering = discoverAccounts(wallet);
  const other = { ...wallet.state.accounts[0]!, address: accounts.cases[1]!.address };
  wallet.change({ accounts: [other] });
  await discovering;
  expect(wallet.state.accounts).toEqual([other]);
});
