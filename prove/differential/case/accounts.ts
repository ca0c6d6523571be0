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

/** The first accounts of the tested device, by index. */
export const OWN_ACCOUNTS: readonly Account[] = secrets.map(secret =>
  accountFromPublicKey(publicKeyOf(secret)),
);

/** Private keys of OWN_ACCOUNTS for node:crypto. */
export const OWN_KEYS: readonly KeyObject[] = secrets.map(privateKeyObject);
