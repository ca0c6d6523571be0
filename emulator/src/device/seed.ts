import { pbkdf2Sync } from 'node:crypto';
import { validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { TEST_MNEMONIC } from '@zbc-signer/chain';
import { SEED_LENGTH } from '@zbc-signer/protocol/limits';
import { EmulatorError } from '../errors.js';
import { TEST_SEED } from './known-seed.js';

const ROUNDS = 2048;
const WORD_COUNTS = [12, 15, 18, 21, 24];
export const SEED_KINDS = ['test', 'other', 'none'] as const;

/** The kind of seed: the well-known test mnemonic, another one, or none (a locked device). */
export type SeedKind = (typeof SEED_KINDS)[number];

export function seedKindOf(seed: string | null): SeedKind {
  if (seed === null) return 'none';
  return seed.trim().split(/\s+/).join(' ') === TEST_MNEMONIC ? 'test' : 'other';
}

/**
 * The 64-byte seed of a BIP-39 mnemonic (English, no passphrase) or of `hex:` and 128 digits; throws
 * BAD_SEED.
 */
export function parseSeed(text: string): Uint8Array {
  const seed = text.trim();
  return seed.startsWith('hex:') ? parseHexSeed(seed.slice(4)) : parseMnemonic(seed);
}

function parseMnemonic(text: string): Uint8Array {
  const mnemonic = text.split(/\s+/).join(' ');
  if (mnemonic === TEST_MNEMONIC) return TEST_SEED.slice();
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw new EmulatorError(
      'BAD_SEED',
      `the seed is neither a BIP-39 mnemonic (12 to 24 English words with a checksum) nor "hex:…": ${faultOf(mnemonic)}`,
    );
  }
  return stretch(mnemonic);
}

/** The fault of a mnemonic, in a text that contains no word of the mnemonic. */
function faultOf(mnemonic: string): string {
  const words = mnemonic === '' ? [] : mnemonic.split(' ');
  if (!WORD_COUNTS.includes(words.length))
    return `it has ${words.length === 1 ? '1 word' : `${words.length} words`}`;
  const unknown = words.findIndex(word => !wordlist.includes(word));
  return unknown === -1 ? 'its checksum is wrong' : `word ${unknown + 1} is not in the English word list`;
}

/**
 * The seed that Speculos derives from any text, as `hex:` and 128 digits. A text in that form is returned
 * unchanged.
 */
export function seedAsSpeculos(text: string): string {
  return text.startsWith('hex:')
    ? text
    : `hex:${Buffer.from(stretch(text.normalize('NFKD'))).toString('hex')}`;
}

/** Uses OpenSSL, because in JavaScript the rounds take longer than the rest of an emulator's start. */
function stretch(mnemonic: string): Uint8Array {
  return new Uint8Array(pbkdf2Sync(mnemonic, 'mnemonic', ROUNDS, SEED_LENGTH, 'sha512'));
}

function parseHexSeed(digits: string): Uint8Array {
  if (!/^[0-9a-fA-F]{128}$/.test(digits)) {
    throw new EmulatorError(
      'BAD_SEED',
      `a seed in hex is "hex:" followed by ${2 * SEED_LENGTH} hexadecimal digits`,
    );
  }
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}
