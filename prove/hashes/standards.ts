// SHA-512, SHA3-256, HMAC and SLIP-0010 according to the standards, on words; constants are computed from
// their definitions.
import type { Word, Words } from './word.js';

const SIZE = 64n;

function primes(count: number): bigint[] {
  const found: bigint[] = [];
  for (let n = 2n; found.length < count; n++) if (found.every(prime => n % prime !== 0n)) found.push(n);
  return found;
}

/** The largest integer whose power with exponent `power` is at most `of`. */
function root(of: bigint, power: bigint): bigint {
  let low = 0n;
  for (let bit = 1n << 80n; bit > 0n; bit >>= 1n) if ((low + bit) ** power <= of) low += bit;
  return low;
}

/** The first bits of the fractional parts of roots of the first primes (FIPS 180-4 §4.2.2, §4.2.3, §5.3). */
export const fractions = (count: number, power: bigint, bits: number) =>
  primes(count).map(prime => BigInt.asUintN(bits, root(prime << (BigInt(bits) * power), power)));

const SQUARE_ROOTS = fractions(8, 2n, 64);
const CUBE_ROOTS = fractions(80, 3n, 64);

/** FIPS 180-4 §6.4.2: the schedule of the 16 words of a block. */
export function schedule512(words: Words, block: readonly Word[]): Word[] {
  const w = [...block];
  const small = (x: Word, a: bigint, b: bigint, c: bigint) =>
    words.xor(words.xor(words.rotate(x, -a), words.rotate(x, -b)), words.shift(x, -c));
  for (let t = 16; t < 80; t++) {
    const s1 = small(w[t - 2]!, 19n, 61n, 6n);
    const s0 = small(w[t - 15]!, 1n, 8n, 7n);
    w.push([w[t - 7]!, s0, w[t - 16]!].reduce((sum, each) => words.add(sum, each), s1));
  }
  return w;
}

/** The 80 rounds from a state and a schedule, and the sum with the state. */
export function rounds512(words: Words, state: readonly Word[], w: readonly Word[]): Word[] {
  const big = (x: Word, p: bigint, q: bigint, r: bigint) =>
    words.xor(words.xor(words.rotate(x, -p), words.rotate(x, -q)), words.rotate(x, -r));
  const sum = (...parts: Word[]) => parts.reduce((total, each) => words.add(total, each));
  let [a, b, c, d, e, f, g, h] = state as [Word, Word, Word, Word, Word, Word, Word, Word];
  for (let t = 0; t < 80; t++) {
    const choice = words.xor(words.and(e, f), words.and(words.xor(e, words.constant(-1n)), g));
    const majority = words.xor(words.xor(words.and(a, b), words.and(a, c)), words.and(b, c));
    const t1 = sum(h, big(e, 14n, 18n, 41n), choice, words.constant(CUBE_ROOTS[t]!), w[t]!);
    const t2 = sum(big(a, 28n, 34n, 39n), majority);
    [h, g, f, e, d, c, b, a] = [g, f, e, sum(d, t1), c, b, a, sum(t1, t2)];
  }
  return [a, b, c, d, e, f, g, h].map((each, i) => words.add(state[i]!, each));
}

/** Compresses a block into a state. */
type Compress = (state: readonly Word[], block: readonly Word[]) => Word[];

const byteOf = (words: Words, word: Word, i: number) =>
  words.and(words.shift(word, BigInt(-8 * i)), words.constant(0xffn));

/** Eight bytes as a word; `isBig` tells whether the first byte is the highest or the lowest. */
function joined(words: Words, bytes: readonly Word[], isBig: boolean): Word {
  const order = isBig ? [...bytes].reverse() : bytes;
  return order.reduce((sum, byte, i) => words.xor(sum, words.shift(byte, BigInt(8 * i))), words.constant(0n));
}

function eights(bytes: readonly Word[]): Word[][] {
  return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.slice(8 * i, 8 * i + 8));
}

/** FIPS 180-4 §5.1.2, §6.4: the 64 bytes of a hash. */
export function sha512(words: Words, message: readonly Word[], compress: Compress): Word[] {
  const padded = [...message, words.constant(0x80n)];
  while (padded.length % 128 !== 112) padded.push(words.constant(0n));
  const bits = BigInt(8 * message.length);
  for (let i = 15n; i >= 0n; i--) padded.push(words.constant((bits >> (8n * i)) & 0xffn));
  let state = SQUARE_ROOTS.map(value => words.constant(value));
  for (let at = 0; at < padded.length; at += 128)
    state = compress(
      state,
      eights(padded.slice(at, at + 128)).map(bytes => joined(words, bytes, true)),
    );
  return state.flatMap(word => Array.from({ length: 8 }, (_, i) => byteOf(words, word, 7 - i)));
}

/** HMAC (FIPS 198-1) with a key of at most one block. */
export function hmac(
  words: Words,
  key: readonly Word[],
  message: readonly Word[],
  compress: Compress,
): Word[] {
  const padded = [...key, ...Array.from({ length: 128 - key.length }, () => words.constant(0n))];
  const keyed = (by: bigint) => padded.map(byte => words.xor(byte, words.constant(by)));
  const inner = sha512(words, [...keyed(0x36n), ...message], compress);
  return sha512(words, [...keyed(0x5cn), ...inner], compress);
}

/** SLIP-0010 for Ed25519: the key of m/44'/883'/index', where `index` has four bytes, highest first. */
export function slip10(
  words: Words,
  seed: readonly Word[],
  index: readonly Word[],
  compress: Compress,
): Word[] {
  const text = (value: string) => [...Buffer.from(value)].map(byte => words.constant(BigInt(byte)));
  const hardened = (n: number) => [0x80, 0, n >> 8, n & 255].map(byte => words.constant(BigInt(byte)));
  let node = hmac(words, text('ed25519 seed'), seed, compress);
  for (const child of [hardened(44), hardened(883), index])
    node = hmac(words, node.slice(32), [words.constant(0n), ...node.slice(0, 32), ...child], compress);
  return node.slice(0, 32);
}

/** The bit rc(t) of FIPS 202 algorithm 5. */
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

/** The rotation of each lane (FIPS 202 algorithm 2); lane (x, y) has the index x + 5y (§3.1.2). */
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
