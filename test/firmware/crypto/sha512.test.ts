import { createHash } from 'node:crypto';
import { sha512 } from '@noble/hashes/sha2.js';
import { CryptoModule } from '../../../testkit/crypto/crypto-module.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import { caseCount } from '../../../testkit/repository/case-count.js';
import { hexOf, textBytes } from './vectors.js';

const CASES = caseCount(10_000);
const module = new CryptoModule();
const opensslSha512 = (message: Uint8Array) => createHash('sha512').update(message).digest('hex');

describe('SHA-512', () => {
  // NIST's examples for FIPS 180-4.
  test.each([
    [
      'abc',
      'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      '8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909',
    ],
  ])('gives the known answer for "%s"', (text, digest) => {
    expect(hexOf(module.sha512(textBytes(text)))).toBe(digest);
  });

  test(`agrees with OpenSSL and noble for ${CASES} random messages`, () => {
    const random = createRandom(5);
    for (let i = 0; i < CASES; i++) {
      const message = random((random(1)[0] ?? 0) * 11);
      const digest = hexOf(module.sha512(message));
      expect(digest).toBe(opensslSha512(message));
      expect(digest).toBe(hexOf(sha512(message)));
    }
  });
});
