/**
 * The directory of the built page: `wallet.html`, and `wallet.css` and `wallet.js` for its links to them. The
 * page asks its own origin for the chain, so a gateway must serve it.
 */
export const WALLET_DIRECTORY: URL = new URL('./bundle/', import.meta.url);
