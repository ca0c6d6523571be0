import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { SEED } from '../../protocol/limits.js';
import { SeedError } from './errors.js';

/** The mnemonic of published test vectors, and of an emulator that was given no seed. */
export const TEST_MNEMONIC = `${'abandon '.repeat(11)}about`;

let testSeed: Uint8Array | undefined;

/** The 64-byte seed of a BIP-39 mnemonic (English, no passphrase) or of `hex:` and 128 digits; throws SeedError. */
export function parseSeed(text: string): Uint8Array {
  const seed = text.trim();
  if (seed.startsWith('hex:')) return parseHexSeed(seed.slice(4));
  const mnemonic = seed.split(/\s+/).join(' ');
  if (mnemonic === TEST_MNEMONIC) return (testSeed ??= mnemonicToSeedSync(TEST_MNEMONIC)).slice();
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw new SeedError(
      'the seed is neither a BIP-39 mnemonic (its words or checksum are wrong) nor "hex:…"',
    );
  }
  return mnemonicToSeedSync(mnemonic);
}

function parseHexSeed(digits: string): Uint8Array {
  if (!/^[0-9a-fA-F]{128}$/.test(digits)) {
    throw new SeedError(`a seed in hex is ${2 * SEED} hexadecimal digits after "hex:"`);
  }
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}
