import type { ConnectWallet } from './protocol.js';

const ANNOUNCE = 'zbc-signer:announce';
const REQUEST = 'zbc-signer:request';

/**
 * Calls `found` once for each wallet that announces itself to this page, such as a browser extension's, until the
 * returned function is called. Every script of the page can announce a wallet, so let the user choose by name.
 */
export function findWallets(found: (wallet: ConnectWallet) => void): () => void {
  const known = new Set<ConnectWallet>();
  const hear = (event: Event) => {
    const { detail: wallet } = event as CustomEvent<ConnectWallet>;
    if (!(wallet instanceof Object) || known.has(wallet)) return;
    known.add(wallet);
    // This package imports no other, so that a page can serve its files as they are.
    new Promise(resolve => resolve(found(wallet))).catch(() => undefined);
  };
  addEventListener(ANNOUNCE, hear);
  dispatchEvent(new Event(REQUEST));
  return () => removeEventListener(ANNOUNCE, hear);
}

/** Announces a wallet to this page, whenever it looks for one, until the returned function is called. */
export function announceWallet(wallet: ConnectWallet): () => void {
  const announce = () => dispatchEvent(new CustomEvent(ANNOUNCE, { detail: Object.freeze(wallet) }));
  addEventListener(REQUEST, announce);
  announce();
  return () => removeEventListener(REQUEST, announce);
}
