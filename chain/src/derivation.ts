import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { MAX_ACCOUNT_INDEX, SEED_LENGTH } from '@zbc-signer/protocol/limits';
import { invalidInputError, ZbcSignerError } from './error.js';

/** The well-known test mnemonic. Its keys are public: never use it for value. */
export const TEST_MNEMONIC =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

const PURPOSE = 44;
const COIN_TYPE = 883;
const HARDENED = 0x80000000;
const MASTER_KEY = new TextEncoder().encode('ed25519 seed');

/**
 * Returns the 64-byte BIP-39 seed of an English mnemonic; white space is normalised. Throws `MNEMONIC`. The
 * message of this error never repeats the mnemonic.
 */
export function seedFromMnemonic(mnemonic: string, passphrase = ''): Uint8Array {
  const words = mnemonic.normalize('NFKD').trim().split(/\s+/).join(' ');
  if (!validateMnemonic(words, wordlist)) {
    throw new ZbcSignerError(
      'MNEMONIC',
      'the text is not a BIP-39 mnemonic: expected 12 to 24 words of the English list, with a valid checksum',
    );
  }
  return mnemonicToSeedSync(words, passphrase);
}

/** Returns the 32-byte Ed25519 private key at m/44'/883'/account' of a 64-byte seed. */
export function derivePrivateKey(seed: Uint8Array, accountIndex: number): Uint8Array {
  if (seed.length !== SEED_LENGTH)
    throw invalidInputError(`a seed is ${SEED_LENGTH} bytes, not ${seed.length}`);
  return derivePath(seed, [PURPOSE, COIN_TYPE, accountIndex]);
}

/** Derives a key by SLIP-0010 for Ed25519; indexes are 0 to 2^31 - 1, without the hardening bit. */
export function derivePath(seed: Uint8Array, indexes: readonly number[]): Uint8Array {
  let node = hmac(sha512, MASTER_KEY, seed);
  for (const index of indexes) {
    if (!Number.isInteger(index) || index < 0 || index > MAX_ACCOUNT_INDEX) {
      throw invalidInputError(`invalid account index ${index}, expected 0 to ${MAX_ACCOUNT_INDEX}`);
    }
    node = hmac(
      sha512,
      node.subarray(32),
      concatBytes(Uint8Array.of(0), node.subarray(0, 32), hardened(index)),
    );
  }
  return node.slice(0, 32);
}

function hardened(index: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, index + HARDENED);
  return bytes;
}
