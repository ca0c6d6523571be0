/**
 * The directory of the built page: `wallet.html`, with `wallet.css` and `wallet.js`, to which it links. A
 * gateway must serve the page, because the page sends the requests for the chain to its own origin.
 */
export const WALLET_DIRECTORY: URL = new URL('./bundle/', import.meta.url);
