import { pbkdf2Sync } from 'node:crypto';
import { accounts } from '../repository/vectors.js';
import { STORED_BYTES, type Storage } from './driver.js';

/** The seed of the vectors' words without a passphrase. */
export const TEST_SEED = new Uint8Array(pbkdf2Sync(accounts.mnemonic, 'mnemonic', 2048, 64, 'sha512'));

const erased = () => new Uint8Array(STORED_BYTES).fill(0xff);

/** Returns a storage without settings. */
export function emptyStorage(): Storage {
  return { settings: [erased(), erased()] };
}
