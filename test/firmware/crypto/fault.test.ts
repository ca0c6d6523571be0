import { Point } from '@noble/ed25519';
import { CryptoModule, SIGNED } from '../../../testkit/crypto/crypto-module.js';
import { opensslPublicKey, opensslSign } from '../../../testkit/crypto/openssl.js';
import { createRandom } from '../../../testkit/crypto/random.js';

const TABLE_SIZE = 4608;

/** Returns the address of the table of multiples of the base point, by searching for its first entry (comb.ts). */
function findTable(memory: Uint8Array): number {
  const { p } = Point.CURVE();
  const { x, y } = Point.BASE.multiply(2n ** 68n - 2n ** 51n - 2n ** 34n - 2n ** 17n - 1n).toAffine();
  const sum = ((x + y) % p).toString(16).padStart(64, '0');
  return Buffer.from(memory).indexOf(Buffer.from(sum, 'hex').reverse());
}

describe('a fault in the table of points', () => {
  test('leads either to the right signature or to no signature', () => {
    const random = createRandom(15);
    let refused = 0;
    for (let i = 0; i < 150; i++) {
      const module = new CryptoModule();
      const [key, message] = [random(32), random(32)];
      const fault = Buffer.from(random(4)).readUInt32LE() % (8 * TABLE_SIZE);
      module.memory[findTable(module.memory) + (fault >> 3)]! ^= 1 << (fault & 7);
      const out = module.place(new Uint8Array(64).fill(0xaa));
      const expectedKey = module.place(opensslPublicKey(key));
      const outcome = module.exports.sign(out, module.place(message), 32, module.place(key), expectedKey);
      const expected = outcome === SIGNED ? opensslSign(message, key) : new Uint8Array(64);
      expect(module.memory.slice(out, out + 64)).toEqual(expected);
      if (outcome !== SIGNED) refused += 1;
    }
    expect(refused).toBeGreaterThan(50); // most faults affect an entry that is used
  });
});
