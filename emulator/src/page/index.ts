// The emulated signer in a page, without Node.

export { createSeed, restoreSeed, unlockSeed } from '../review/seed-entry.js';
export { joinSigner, plugSigner } from './cable.js';
export { LocalVault } from './local-vault.js';
export { PageSigner, type PageSignerOptions } from './page-signer.js';
