import { createHash } from 'node:crypto';
import { sha3_256 } from '@noble/hashes/sha3.js';
import { CryptoModule } from '../../../testkit/crypto/crypto-module.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import { caseCount } from '../../../testkit/repository/case-count.js';
import { hexOf, textBytes } from './vectors.js';

const CASES = caseCount(10_000);
const module = new CryptoModule();
const opensslSha3 = (message: Uint8Array) => createHash('sha3-256').update(message).digest('hex');

describe('SHA3-256', () => {
  // NIST's examples for FIPS 202.
  test.each([
    ['', 'a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a'],
    ['abc', '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '41c0dba2a9d6240849100376a8235e2c82e1b9998a999e21db32dd97496d3376',
    ],
  ])('gives the known answer for "%s"', (text, digest) => {
    expect(hexOf(module.sha3(textBytes(text)))).toBe(digest);
  });

  test('gives the known answer for a million letters "a" that are streamed', () => {
    const { exports } = module;
    const piece = module.place(textBytes('a'.repeat(1000)));
    exports.sha3Init();
    for (let i = 0; i < 1000; i++) exports.sha3Update(piece, 1000);
    exports.sha3Final(piece);
    const digest = module.memory.slice(piece, piece + 32);
    module.clear();
    expect(hexOf(digest)).toBe('5c8875ae474a3634ba4fd55ec85bffd661f32aca75c6d699d0cdcb6c115891c1');
  });

  test(`agrees with OpenSSL and noble for ${CASES} random messages`, () => {
    const random = createRandom(2);
    for (let i = 0; i < CASES; i++) {
      const message = random((random(1)[0] ?? 0) * 11);
      const digest = hexOf(module.sha3(message));
      expect(digest).toBe(opensslSha3(message));
      expect(digest).toBe(hexOf(sha3_256(message)));
    }
  });

  test('gives the same digest whether a message is hashed in pieces or at once', () => {
    const random = createRandom(3);
    const message = random(700);
    for (const size of [1, 2, 3, 7, 135, 136, 137, 271, 272, 273, 699]) {
      const pieces: Uint8Array[] = [];
      for (let start = 0; start < message.length; start += size)
        pieces.push(message.slice(start, start + size));
      expect(hexOf(module.sha3OfPieces([new Uint8Array(0), ...pieces]))).toBe(opensslSha3(message));
    }
  });

  test('discards an unfinished hash when another one starts', () => {
    const unfinished = module.place(textBytes('left behind'));
    module.exports.sha3Init();
    module.exports.sha3Update(unfinished, 11);
    module.clear();
    expect(hexOf(module.sha3(textBytes('abc')))).toBe(opensslSha3(textBytes('abc')));
  });
});
