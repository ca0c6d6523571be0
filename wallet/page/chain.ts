import { fromHex, toHex } from '@zbc-signer/chain';
import { readContacts } from './contacts.js';
import { readStored, store } from './storage.js';
import type { Wallet } from './wallet.js';

const CHAIN_KEY = 'zbc-wallet chain';

export async function readChain(wallet: Wallet): Promise<void> {
  const { gateway, state, browser } = wallet;
  try {
    const chain = await gateway.nodeInfo();
    let { genesisHash } = state;
    if (genesisHash === undefined) {
      genesisHash = rememberedChain(wallet) ?? chain.genesisHash;
      store(browser.storage, CHAIN_KEY, toHex(genesisHash));
    }
    const isFirst = state.genesisHash === undefined;
    wallet.change({ chain, genesisHash });
    if (isFirst && state.accounts.length > 0) void readContacts(wallet);
    const tokens = state.tokens.length === 0 ? await gateway.tokens() : state.tokens;
    wallet.change({ tokens, chainError: undefined });
  } catch (chainError) {
    wallet.change({ chainError });
  }
}

/** Stores the chain that the gateway serves now, so that the page signs for this chain after a reload. */
export function acceptChain({ state: { chain }, browser }: Wallet): void {
  if (chain !== undefined) store(browser.storage, CHAIN_KEY, toHex(chain.genesisHash));
}

export async function findFaucet(wallet: Wallet): Promise<void> {
  const { browser, gateway } = wallet;
  const { fetch } = browser;
  const hasFaucet = await fetch(`${gateway.url}/faucet`, { headers: { accept: 'text/html' } }).then(
    ({ ok, body }) => {
      // The body is cancelled, because a response without end would hold one of the browser's six
      // connections.
      void body?.cancel();
      return ok;
    },
    () => false,
  );
  wallet.change({ hasFaucet });
}

function rememberedChain({ browser }: Wallet): Uint8Array | undefined {
  const hash = readStored(browser.storage, CHAIN_KEY);
  return /^[0-9a-f]{64}$/.test(hash) ? fromHex(hash) : undefined;
}
