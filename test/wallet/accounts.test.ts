import type { Emulator } from '@zbc-signer/emulator';
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

async function connect(wallet: Wallet): Promise<Wallet> {
  await wallet.readChain();
  await wallet.connect((await wallet.devices.list())[0]!);
  return wallet;
}

const openWallet = () => walletIn(profile.openTab().browser);

/** The address of an account of the signer, as another wallet learns it. */
async function addressOf(index: number): Promise<string> {
  const wallet = await connect(walletIn(profile.openTab().browser));
  const { address } = await wallet.signer!.run(device => device.getPublicKey(index));
  await wallet.disconnect();
  profile.stored.clear();
  return address;
}

test('the first visit finds the accounts that the chain knows, across a gap of four unused accounts', async () => {
  const fifth = await addressOf(5);
  know(fifth);
  const wallet = await connect(openWallet());
  expect(wallet.accounts).toHaveLength(6);
  expect(wallet.accounts[5]!.address).toBe(fifth);
  expect(wallet.isDiscovering).toBe(false);
});

test('a gap of five unused accounts ends the search, and the first account is always listed', async () => {
  know(await addressOf(6));
  const wallet = await connect(openWallet());
  expect(wallet.accounts.map(({ address }) => address)).toEqual([accounts.cases[0]!.address]);
});

test('accounts are shown without the signer only while the user has chosen to watch them', async () => {
  const first = await connect(openWallet());
  expect(openWallet().accounts).toEqual([]);
  first.watch(true);
  await first.addAccount();
  const watching = openWallet();
  expect(watching.accounts.map(({ address }) => address)).toEqual(
    accounts.cases.slice(0, 2).map(({ address }) => address),
  );
  await watching.readHoldings();
  expect(watching.account?.balance).toBeDefined();
  await expect(watching.signMessage(new Uint8Array(1), new AbortController().signal)).rejects.toThrow(
    'connect the signer',
  );
  watching.watch(false);
  expect(openWallet().accounts).toEqual([]);
});

test("damaged entries in the browser's storage are not watched", () => {
  profile.stored.set('zbc-wallet watched', 'nonsense');
  expect(openWallet().accounts).toEqual([]);
});

test('accounts that are found for a device are not listed once another device is connected', async () => {
  const wallet = await connect(openWallet());
  const discovering = wallet.discoverAccounts();
  const other = { ...wallet.accounts[0]!, address: accounts.cases[1]!.address };
  wallet.accounts = [other];
  await discovering;
  expect(wallet.accounts).toEqual([other]);
});
