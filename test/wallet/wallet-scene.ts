import { Emulator } from '@zbc-signer/emulator';
import type { Browser } from '@zbc-signer/web';
import { showWatched } from '#wallet/page/accounts.js';
import { readChain } from '#wallet/page/chain.js';
import { connect } from '#wallet/page/signer.js';
import { Wallet } from '#wallet/page/wallet.js';
import { ModelChain } from '../../testkit/chain/model-chain.js';
import { ModelBrowser } from '../../testkit/wallet/model-browser.js';

interface WalletScene {
  emulator: Emulator;
  chain: ModelChain;
  profile: ModelBrowser;
}

/** A signer, a chain behind a gateway, and a browser that answers at once. */
export async function startScene(): Promise<WalletScene> {
  const [emulator, chain] = [await Emulator.start(), new ModelChain()];
  return { emulator, chain, profile: new ModelBrowser(emulator, chain, () => 0) };
}

/** The wallet of a page that has not sent a request yet. */
export function walletIn(browser: Browser): Wallet {
  const wallet = new Wallet({ url: 'http://gateway.test', browser, pollMs: 1 });
  showWatched(wallet);
  return wallet;
}

/** The wallet of a new page that has read the chain and is connected to the signer. */
export async function connectedWallet(profile: ModelBrowser): Promise<Wallet> {
  const wallet = walletIn(profile.openTab().browser);
  await readChain(wallet);
  await connect(wallet, (await wallet.devices.list())[0]!);
  return wallet;
}
