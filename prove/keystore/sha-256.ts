// SHA-256 according to FIPS 180-4, on words; its constants are computed from primes.
import { fractions } from '../hashes/standards.js';
import type { Word } from '../hashes/word.js';
import { bigEndian, type Words32 } from './any-bytes.js';

const ROUNDS = 64;
const BLOCK = 64;

const INITIAL = fractions(8, 2n, 32);
const CONSTANTS = fractions(ROUNDS, 3n, 32);

type Compress = (state: readonly Word[], block: readonly Word[]) => Word[];

/** Compresses a block of 16 words into a state of 8 words (§6.2.2). */
export function compress256(words: Words32, state: readonly Word[], block: readonly Word[]): Word[] {
  const sum = (...parts: Word[]) => parts.reduce((total, each) => words.add32(total, each));
  const turned = (x: Word, ...by: bigint[]) =>
    by.map(each => words.rotateRight32(x, each)).reduce((a, b) => words.xor(a, b));
  const w = [...block];
  for (let t = 16; t < ROUNDS; t++) {
    const s1 = words.xor(turned(w[t - 2]!, 17n, 19n), words.shift(w[t - 2]!, -10n));
    const s0 = words.xor(turned(w[t - 15]!, 7n, 18n), words.shift(w[t - 15]!, -3n));
    w.push(sum(s1, w[t - 7]!, s0, w[t - 16]!));
  }
  const ones = words.constant(0xffffffffn);
  let [a, b, c, d, e, f, g, h] = state as [Word, Word, Word, Word, Word, Word, Word, Word];
  for (let t = 0; t < ROUNDS; t++) {
    const choice = words.xor(words.and(e, f), words.and(words.xor(e, ones), g));
    const majority = words.xor(words.xor(words.and(a, b), words.and(a, c)), words.and(b, c));
    const t1 = sum(h, turned(e, 6n, 11n, 25n), choice, words.constant(CONSTANTS[t]!), w[t]!);
    const t2 = sum(turned(a, 2n, 13n, 22n), majority);
    [h, g, f, e, d, c, b, a] = [g, f, e, sum(d, t1), c, b, a, sum(t1, t2)];
  }
  return [a, b, c, d, e, f, g, h].map((each, i) => sum(state[i]!, each));
}

/** The 32 bytes of a hash (§5.1.1, §6.2). */
export function sha256(words: Words32, message: readonly Word[], compress: Compress): Word[] {
  const padded = [...message, words.constant(0x80n)];
  while (padded.length % BLOCK !== 56) padded.push(words.constant(0n));
  const bits = BigInt(8 * message.length);
  for (let i = 7n; i >= 0n; i--) padded.push(words.constant((bits >> (8n * i)) & 0xffn));
  let state = INITIAL.map(value => words.constant(value));
  for (let at = 0; at < padded.length; at += BLOCK) {
    const block = Array.from({ length: 16 }, (_, i) =>
      bigEndian(words, padded.slice(at + 4 * i, at + 4 * i + 4)),
    );
    state = compress(state, block);
  }
  return state.flatMap(word =>
    [24n, 16n, 8n, 0n].map(by => words.and(words.shift(word, -by), words.constant(0xffn))),
  );
}
