import { type Emulator, restoreSeed } from '@zbc-signer/emulator';
import { SharedSigner, WebDevices } from '@zbc-signer/web';
import type { Wallet } from '#wallet/page/wallet.js';
import { explain } from '#wallet/page/words.js';
import type { ModelChain } from '../../testkit/chain/model-chain.js';
import { accounts } from '../../testkit/repository/vectors.js';
import type { ModelBrowser } from './model-browser.js';
import { startScene, walletIn } from './wallet-scene.js';

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
  await wallet.connect((await wallet.devices.list())[0]!);
  return wallet;
}

/** From now on the gateway answers with nonsense where the path matches. */
function spoil(path: RegExp): void {
  const answer = chain.answer.bind(chain);
  chain.answer = (asked, body) => (path.test(asked) ? new Response('nonsense') : answer(asked, body));
}

describe('a gateway that fails in part', () => {
  it.each([
    ['the chain', /node\/info/],
    ['the balance', /accounts\/[^/]+$/],
    ['the tokens', /accounts\/[^/]+\/tokens/],
  ])('is alarming where it fails for %s, in whichever order it answers', async (_what, path) => {
    const wallet = await openWallet();
    expect(wallet.gatewayError).toBeUndefined();
    spoil(path);
    await wallet.readChain();
    await wallet.readHoldings();
    expect(wallet.gatewayError).toMatchObject({ code: 'GATEWAY_MALFORMED' });
    await wallet.readHoldings();
    await wallet.readChain();
    expect(wallet.gatewayError).toMatchObject({ code: 'GATEWAY_MALFORMED' });
  });
});

it('asks after a reload too before it uses another chain', async () => {
  const first = (await openWallet()).genesisHash!;
  const other = 'ab'.repeat(32);
  const answer = chain.answer.bind(chain);
  chain.answer = (asked, body) => {
    if (!/node\/info/.test(asked)) return answer(asked, body);
    return new Response(JSON.stringify({ genesis_hash: other, height: 1 }));
  };
  const reload = async () => {
    const wallet = walletIn(profile.openTab().browser);
    await wallet.readChain();
    return wallet;
  };
  const reloaded = await reload();
  expect([reloaded.chainChanged, reloaded.genesisHash]).toEqual([true, first]);
  expect((await reload()).chainChanged).toBe(true);
  reloaded.acceptChain();
  const accepted = await reload();
  expect([accepted.chainChanged, Buffer.from(accepted.genesisHash!).toString('hex')]).toEqual([false, other]);
});

it('asks to unlock a signer without a seed, and reads its accounts once its words are entered', async () => {
  emulator.stop();
  ({ emulator, chain, profile } = await startScene({ keystore: {} }));
  const wallet = await openWallet();
  expect(explain(wallet.deviceError)).toMatchObject({ what: 'Unlock the signer.' });
  restoreSeed(emulator, accounts.mnemonic);
  await wallet.readDevice();
  expect(wallet.deviceError).toBeUndefined();
  expect(wallet.accounts[0]!.address).toBe(accounts.cases[0]!.address);
});

describe('an event of a plug', () => {
  it('of the device in use says that it is unplugged', async () => {
    const wallet = await openWallet();
    wallet.notePlug({ type: 'disconnected', kind: 'hid' });
    expect(wallet.deviceError).toMatchObject({ code: 'DEVICE_DISCONNECTED' });
  });

  it('of another kind does not concern the device in use', async () => {
    const wallet = await openWallet();
    wallet.notePlug({ type: 'disconnected', kind: 'usb' });
    expect(wallet.deviceError).toBeUndefined();
  });
});

it('leaves a signer that was closed in the middle of its work to other tabs', async () => {
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
