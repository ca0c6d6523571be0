// SHA-512, SHA3-256, HMAC and SLIP-0010 according to the standards, on words; constants are computed from
// their definitions.
import type { Word, Words } from './word.js';

const SIZE = 64n;

function primes(count: number): bigint[] {
  const found: bigint[] = [];
  for (let n = 2n; found.length < count; n++) if (found.every(prime => n % prime !== 0n)) found.push(n);
  return found;
}

/** Returns the largest integer whose power with exponent `power` is at most `of`. */
function root(of: bigint, power: bigint): bigint {
  let low = 0n;
  for (let bit = 1n << 80n; bit > 0n; bit >>= 1n) if ((low + bit) ** power <= of) low += bit;
  return low;
}

/**
 * Returns the first bits of the fractional parts of roots of the first primes (FIPS 180-4 §4.2.2, §4.2.3,
 * §5.3).
 */
export const fractions = (count: number, power: bigint, bits: number) =>
  primes(count).map(prime => BigInt.asUintN(bits, root(prime << (BigInt(bits) * power), power)));

/** A hash function of FIPS 180-4 on words of `bits` bits; each line of `turns` is one of its functions Σ and σ. */
export interface Sha2 {
  bits: number;
  rounds: number;
  constants: readonly bigint[];
  initial: readonly bigint[];
  turns: { big1: Turns; big0: Turns; small1: Turns; small0: Turns };
  add(words: Words, a: Word, b: Word): Word;
  rotateRight(words: Words, word: Word, by: bigint): Word;
}
type Turns = readonly [bigint, bigint, bigint];

export const SHA512: Sha2 = {
  ...{ bits: 64, rounds: 80, constants: fractions(80, 3n, 64), initial: fractions(8, 2n, 64) },
  turns: { big1: [14n, 18n, 41n], big0: [28n, 34n, 39n], small1: [19n, 61n, 6n], small0: [1n, 8n, 7n] },
  add: (words, a, b) => words.add(a, b),
  rotateRight: (words, word, by) => words.rotate(word, -by),
};

/** FIPS 180-4 §6.2.2 and §6.4.2: compresses a block of 16 words into a state of 8 words. */
export function compress(of: Sha2, words: Words, state: readonly Word[], block: readonly Word[]): Word[] {
  const { big1, big0, small1, small0 } = of.turns;
  const sum = (...parts: Word[]) => parts.reduce((total, each) => of.add(words, total, each));
  const turned = (x: Word, ...by: bigint[]) =>
    by.map(each => of.rotateRight(words, x, each)).reduce((a, b) => words.xor(a, b));
  const small = (x: Word, [a, b, c]: Turns) => words.xor(turned(x, a, b), words.shift(x, -c));
  const w = [...block];
  for (let t = 16; t < of.rounds; t++)
    w.push(sum(small(w[t - 2]!, small1), w[t - 7]!, small(w[t - 15]!, small0), w[t - 16]!));
  const ones = words.constant((1n << BigInt(of.bits)) - 1n);
  let [a, b, c, d, e, f, g, h] = state as [Word, Word, Word, Word, Word, Word, Word, Word];
  for (let t = 0; t < of.rounds; t++) {
    const choice = words.xor(words.and(e, f), words.and(words.xor(e, ones), g));
    const majority = words.xor(words.xor(words.and(a, b), words.and(a, c)), words.and(b, c));
    const t1 = sum(h, turned(e, ...big1), choice, words.constant(of.constants[t]!), w[t]!);
    const t2 = sum(turned(a, ...big0), majority);
    [h, g, f, e, d, c, b, a] = [g, f, e, sum(d, t1), c, b, a, sum(t1, t2)];
  }
  return [a, b, c, d, e, f, g, h].map((each, i) => sum(state[i]!, each));
}

/** Compresses a block into a state. */
type Compress = (state: readonly Word[], block: readonly Word[]) => Word[];

const byteOf = (words: Words, word: Word, i: number) =>
  words.and(words.shift(word, BigInt(-8 * i)), words.constant(0xffn));

/** Returns the bytes as a word, the highest first. */
export function bigEndian(words: Words, bytes: readonly Word[]): Word {
  return bytes.reduce((sum, byte) => words.xor(words.shift(sum, 8n), byte), words.constant(0n));
}

/** FIPS 180-4 §5.1, §6: the bytes of a hash, with any compression function. */
export function hash(of: Sha2, words: Words, message: readonly Word[], compressed: Compress): Word[] {
  const size = of.bits / 8;
  const padded = [...message, words.constant(0x80n)];
  while (padded.length % (16 * size) !== 14 * size) padded.push(words.constant(0n));
  const bits = BigInt(8 * message.length);
  for (let i = BigInt(2 * size - 1); i >= 0n; i--) padded.push(words.constant((bits >> (8n * i)) & 0xffn));
  let state = of.initial.map(value => words.constant(value));
  for (let at = 0; at < padded.length; at += 16 * size) {
    const wordAt = (_: unknown, i: number) => padded.slice(at + size * i, at + size * (i + 1));
    state = compressed(
      state,
      Array.from({ length: 16 }, wordAt).map(bytes => bigEndian(words, bytes)),
    );
  }
  return state.flatMap(word => Array.from({ length: size }, (_, i) => byteOf(words, word, size - 1 - i)));
}

/** HMAC (FIPS 198-1). */
export function hmac(
  words: Words,
  key: readonly Word[],
  message: readonly Word[],
  compressed: Compress,
): Word[] {
  const short = key.length > 128 ? hash(SHA512, words, key, compressed) : key;
  const padded = [...short, ...Array.from({ length: 128 - short.length }, () => words.constant(0n))];
  const keyed = (by: bigint) => padded.map(byte => words.xor(byte, words.constant(by)));
  const inner = hash(SHA512, words, [...keyed(0x36n), ...message], compressed);
  return hash(SHA512, words, [...keyed(0x5cn), ...inner], compressed);
}

/** PBKDF2 (RFC 8018 §5.2) with HMAC-SHA-512, for the first 64 bytes. */
export function pbkdf2(
  words: Words,
  password: readonly Word[],
  salt: readonly Word[],
  rounds: number,
  compressed: Compress,
): Word[] {
  let last = [...salt, ...[0n, 0n, 0n, 1n].map(byte => words.constant(byte))];
  let sum: Word[] | undefined;
  for (let round = 0; round < rounds; round++) {
    last = hmac(words, password, last, compressed);
    sum = sum?.map((byte, i) => words.xor(byte, last[i]!)) ?? last;
  }
  return sum!;
}

/** SLIP-0010 for Ed25519: the key of m/44'/883'/index', where `index` has four bytes, highest first. */
export function slip10(
  words: Words,
  seed: readonly Word[],
  index: readonly Word[],
  compressed: Compress,
): Word[] {
  const text = (value: string) => [...Buffer.from(value)].map(byte => words.constant(BigInt(byte)));
  const hardened = (n: number) => [0x80, 0, n >> 8, n & 255].map(byte => words.constant(BigInt(byte)));
  let node = hmac(words, text('ed25519 seed'), seed, compressed);
  for (const child of [hardened(44), hardened(883), index])
    node = hmac(words, node.slice(32), [words.constant(0n), ...node.slice(0, 32), ...child], compressed);
  return node.slice(0, 32);
}

/** Returns the bit rc(t) of FIPS 202 algorithm 5. */
function roundBit(t: number): bigint {
  let register = [1n, 0n, 0n, 0n, 0n, 0n, 0n, 0n];
  for (let i = 0; i < t % 255; i++) {
    const r = [0n, ...register];
    for (const at of [0, 4, 5, 6]) r[at]! ^= r[8]!;
    register = r.slice(0, 8);
  }
  return register[0]!;
}

function roundConstant(round: number): bigint {
  let constant = 0n;
  for (let j = 0; j <= 6; j++) constant |= roundBit(j + 7 * round) << ((1n << BigInt(j)) - 1n);
  return constant;
}

/** Returns the rotation of each lane (FIPS 202 algorithm 2); lane (x, y) has the index x + 5y (§3.1.2). */
function rotations(): bigint[] {
  const offsets = Array.from({ length: 25 }, () => 0n);
  let [x, y] = [1, 0];
  for (let t = 0n; t < 24n; t++) {
    offsets[x + 5 * y] = (((t + 1n) * (t + 2n)) / 2n) % SIZE;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return offsets;
}

/** FIPS 202 §3.3: the 24 rounds over 25 lanes; `onRound` is called at the end of each. */
export function keccak(words: Words, state: readonly Word[], onRound: () => void): Word[] {
  const offsets = rotations();
  let a = [...state];
  for (let round = 0; round < 24; round++) {
    onRound();
    const c = [0, 1, 2, 3, 4].map(x =>
      [5, 10, 15, 20].reduce((sum, row) => words.xor(sum, a[x + row]!), a[x]!),
    );
    const d = c.map((_, x) => words.xor(c[(x + 4) % 5]!, words.rotate(c[(x + 1) % 5]!, 1n)));
    const b: Word[] = [];
    for (let x = 0; x < 5; x++)
      for (let y = 0; y < 5; y++)
        b[y + 5 * ((2 * x + 3 * y) % 5)] = words.rotate(words.xor(a[x + 5 * y]!, d[x]!), offsets[x + 5 * y]!);
    const at = (x: number, y: number) => b[(x % 5) + 5 * y]!;
    a = a.map((_, i) => {
      const [x, y] = [i % 5, Math.floor(i / 5)];
      const other = words.and(words.xor(at(x + 1, y), words.constant(-1n)), at(x + 2, y));
      return words.xor(at(x, y), other);
    });
    a[0] = words.xor(a[0]!, words.constant(roundConstant(round)));
  }
  return a;
}
