import { createHash, createHmac, randomBytes } from 'node:crypto';
import { compress, hash, hmac, keccak, SHA512 } from '../../../prove/hashes/standards.js';
import { type Word, Words } from '../../../prove/hashes/word.js';

const words = new Words();
const bytesOf = (bytes: Uint8Array) => [...bytes].map(byte => words.constant(BigInt(byte)));
const toBytes = (found: readonly Word[]) => Buffer.from(found.map(({ value }) => Number(value)));
const compress512 = (state: readonly Word[], block: readonly Word[]) => compress(SHA512, words, state, block);

describe('the hash standards, computed on symbolic words', () => {
  const message = randomBytes(300);

  test.each([0, 1, 111, 112, 127, 128, 300])('agree with Node for %d bytes', length => {
    const bytes = message.subarray(0, length);
    expect(toBytes(hash(SHA512, words, bytesOf(bytes), compress512))).toEqual(
      createHash('sha512').update(bytes).digest(),
    );
  });

  test('agree with Node for a block of SHA-3', () => {
    const block = Buffer.alloc(200);
    message.copy(block, 0, 0, 135);
    block[135] = 0x86;
    const lanes = Array.from({ length: 25 }, (_, i) => words.constant(block.readBigUInt64LE(8 * i)));
    const found = Buffer.alloc(32);
    const permuted = keccak(words, lanes, () => undefined).slice(0, 4);
    for (const [i, { value }] of permuted.entries()) found.writeBigUInt64LE(value!, 8 * i);
    expect(found).toEqual(createHash('sha3-256').update(message.subarray(0, 135)).digest());
  });

  test('agree with Node for an HMAC', () => {
    const key = message.subarray(0, 32);
    const found = toBytes(hmac(words, bytesOf(key), bytesOf(message), compress512));
    expect(found).toEqual(createHmac('sha512', key).update(message).digest());
  });
});

describe('symbolic words', () => {
  const [a, b, c] = ['a', 'b', 'c'].map(name => words.symbol(name)) as [Word, Word, Word];
  const ones = words.constant(-1n);

  test('have the same form for equal functions', () => {
    const choice = words.xor(c, words.and(a, words.xor(b, c)));
    const other = words.or(words.and(a, b), words.and(words.xor(a, ones), c));
    expect(other.text).toBe(choice.text);
    const halves = words.xor(words.shift(words.shift(a, 8n), -8n), words.shift(words.shift(a, -56n), 56n));
    expect(halves.text).toBe(a.text);
    expect(words.add(words.add(a, b), c).text).toBe(words.add(b, words.add(c, a)).text);
  });

  test.each([
    ['another rotation', words.rotate(a, 14n), words.rotate(a, 15n)],
    ['an or for an exclusive or', words.or(a, b), words.xor(a, b)],
    ['a sum for an exclusive or', words.add(a, b), words.xor(a, b)],
    ['a summand left out', words.add(a, words.add(b, c)), words.add(a, b)],
  ])('have different forms for %s', (_, x, y) => {
    expect(x.text).not.toBe(y.text);
  });

  test('keep their meaning when they are given a name', () => {
    const own = new Words();
    const [x, y] = [own.symbol('x'), own.symbol('y')];
    const [found, wanted] = [own.xor(x, y), own.xor(y, x)];
    const another = own.xor(own.rotate(x, 1n), y);
    own.collapse();
    expect(found.text).toBe(wanted.text);
    expect(found.text).not.toBe(another.text);
    expect(found.products?.size).toBe(1);
  });
});
