import type { KeyObject } from 'node:crypto';
import {
  type Account,
  accountFromPublicKey,
  derivePrivateKey,
  publicKeyOf,
  seedFromMnemonic,
  TEST_MNEMONIC,
} from '@zbc-signer/chain';
import { privateKeyObject } from '../../../testkit/crypto/openssl.js';

const COUNT = 4;

const seed = seedFromMnemonic(TEST_MNEMONIC);
const secrets = Array.from({ length: COUNT }, (_, account) => derivePrivateKey(seed, account));
const accountOf = (secret: Uint8Array) => accountFromPublicKey(publicKeyOf(secret));

/** The first accounts of the tested device, by index. */
export const OWN_ACCOUNTS: readonly Account[] = secrets.map(accountOf);

/** The account of the tested device with any index. */
export const ownAccount = (index: number): Account =>
  OWN_ACCOUNTS[index] ?? accountOf(derivePrivateKey(seed, index));

/** Private keys of OWN_ACCOUNTS for node:crypto. */
export const OWN_KEYS: readonly KeyObject[] = secrets.map(privateKeyObject);
