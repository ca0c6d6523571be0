import { pbkdf2Sync } from 'node:crypto';
import { validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { SEED } from '../../protocol/limits.js';
import { SeedError } from './errors.js';

const ROUNDS = 2048;

/** The 64-byte seed of a BIP-39 mnemonic (English, no passphrase) or of `hex:` and 128 digits; throws SeedError. */
export function parseSeed(text: string): Uint8Array {
  const seed = text.trim();
  return seed.startsWith('hex:') ? parseHexSeed(seed.slice(4)) : parseMnemonic(seed);
}

function parseMnemonic(text: string): Uint8Array {
  const mnemonic = text.split(/\s+/).join(' ');
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw new SeedError(
      'the seed is neither a BIP-39 mnemonic (12 to 24 English words with a checksum) nor "hex:…"',
    );
  }
  // By OpenSSL: in JavaScript the rounds take longer than starting the firmware. English words need no normalisation.
  return new Uint8Array(pbkdf2Sync(mnemonic, 'mnemonic', ROUNDS, SEED, 'sha512'));
}

function parseHexSeed(digits: string): Uint8Array {
  if (!/^[0-9a-fA-F]{128}$/.test(digits)) {
    throw new SeedError(`a seed in hex is ${2 * SEED} hexadecimal digits after "hex:"`);
  }
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}
