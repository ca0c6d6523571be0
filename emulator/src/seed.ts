import { seedFromMnemonic, TEST_MNEMONIC } from '../../chain/src/index.js';
import { SEED } from '../../protocol/limits.js';
import { SeedError } from './errors.js';

let testSeed: Uint8Array | undefined;

/** The 64-byte seed of a BIP-39 mnemonic (English, no passphrase) or of `hex:` and 128 digits; throws SeedError. */
export function parseSeed(text: string): Uint8Array {
  const seed = text.trim();
  if (seed.startsWith('hex:')) return parseHexSeed(seed.slice(4));
  if (seed !== TEST_MNEMONIC) return parseMnemonic(seed);
  // Nearly every emulator of a test run has this one, and 2048 rounds take long beside starting the firmware.
  testSeed ??= parseMnemonic(seed);
  return testSeed.slice();
}

function parseMnemonic(mnemonic: string): Uint8Array {
  try {
    return seedFromMnemonic(mnemonic);
  } catch {
    throw new SeedError(
      'the seed is neither a BIP-39 mnemonic (12 to 24 English words with a checksum) nor "hex:…"',
    );
  }
}

function parseHexSeed(digits: string): Uint8Array {
  if (!/^[0-9a-fA-F]{128}$/.test(digits)) {
    throw new SeedError(`a seed in hex is ${2 * SEED} hexadecimal digits after "hex:"`);
  }
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}
