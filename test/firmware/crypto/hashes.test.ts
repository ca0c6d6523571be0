import { createHash, createHmac } from 'node:crypto';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { sha3_256 } from '@noble/hashes/sha3.js';
import { toHex } from '@zbc-signer/chain';
import { CryptoModule } from '../../../testkit/crypto/crypto-module.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import { caseCount } from '../../../testkit/repository/case-count.js';

const CASES = caseCount(10_000);
const module = new CryptoModule();
const opensslSha3 = (message: Uint8Array) => createHash('sha3-256').update(message).digest('hex');

type Hash = (key: Uint8Array, message: Uint8Array) => Uint8Array;

// The standards' own answers are in known-answers.test.ts and test/prove/crypto/nist.test.ts.
test.each<[string, Hash, Hash, Hash]>([
  [
    'SHA3-256',
    (_, message) => module.sha3(message),
    (_, message) => createHash('sha3-256').update(message).digest(),
    (_, message) => sha3_256(message),
  ],
  [
    'SHA-512',
    (_, message) => module.sha512(message),
    (_, message) => createHash('sha512').update(message).digest(),
    (_, message) => sha512(message),
  ],
  [
    'HMAC-SHA512',
    (key, message) => module.hmacSha512(key, message),
    (key, message) => createHmac('sha512', key).update(message).digest(),
    (key, message) => hmac(sha512, key, message),
  ],
])(`%s agrees with OpenSSL and noble for ${CASES} random messages and keys`, (_name, own, openssl, noble) => {
  const random = createRandom(2);
  for (let i = 0; i < CASES; i++) {
    const [keyLength = 0, length = 0] = random(2);
    const [key, message] = [random(keyLength), random(length * 11)];
    const digest = toHex(own(key, message));
    expect(digest).toBe(toHex(openssl(key, message)));
    expect(digest).toBe(toHex(noble(key, message)));
  }
});

test('SHA3-256 of a message is the same in pieces and at once', () => {
  const message = createRandom(3)(700);
  for (const size of [1, 2, 3, 7, 135, 136, 137, 271, 272, 273, 699]) {
    const pieces: Uint8Array[] = [];
    for (let start = 0; start < message.length; start += size)
      pieces.push(message.slice(start, start + size));
    expect(toHex(module.sha3OfPieces([new Uint8Array(0), ...pieces]))).toBe(opensslSha3(message));
  }
});

test('SHA3-256 discards an unfinished hash when another one starts', () => {
  const text = Buffer.from('left behind');
  module.exports.sha3Init();
  module.exports.sha3Update(module.place(text), text.length);
  module.clear();
  expect(toHex(module.sha3(text))).toBe(opensslSha3(text));
});
