// SHA-256 according to FIPS 180-4, on words.
import { compress, fractions, hash, type Sha2 } from '../hashes/standards.js';
import type { Word } from '../hashes/word.js';
import type { Words32 } from './any-bytes.js';

const SHA256: Sha2 = {
  ...{ bits: 32, rounds: 64, constants: fractions(64, 3n, 32), initial: fractions(8, 2n, 32) },
  turns: { big1: [6n, 11n, 25n], big0: [2n, 13n, 22n], small1: [17n, 19n, 10n], small0: [7n, 18n, 3n] },
  add: (words, a, b) => (words as Words32).add32(a, b),
  rotateRight: (words, word, by) => (words as Words32).rotateRight32(word, by),
};

type Compress = (state: readonly Word[], block: readonly Word[]) => Word[];

export const compress256 = (words: Words32, state: readonly Word[], block: readonly Word[]) =>
  compress(SHA256, words, state, block);

export const sha256 = (words: Words32, message: readonly Word[], compressed: Compress) =>
  hash(SHA256, words, message, compressed);
