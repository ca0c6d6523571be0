import { getPublicKey, hashes, sign } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { toHex } from '@zbc-signer/chain';
import { CryptoModule, SIGNED, WRONG_KEY } from '../../../testkit/crypto/crypto-module.js';
import { opensslPair, opensslPublicKey, opensslSign } from '../../../testkit/crypto/openssl.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import { caseCount } from '../../../testkit/repository/case-count.js';
import { bytesOf, ed25519Cases } from '../../../testkit/repository/vectors.js';

hashes.sha512 = sha512;
const CASES = caseCount(10_000);
const module = new CryptoModule();

describe('Ed25519', () => {
  test.each(ed25519Cases)('gives the public key and the signature of RFC 8032 $name', vector => {
    const [key, message] = [bytesOf(vector.key), bytesOf(vector.message)];
    expect(toHex(module.publicKey(key))).toBe(vector.public_key);
    expect(toHex(module.sign(message, key) ?? new Uint8Array())).toBe(vector.signature);
    expect(module.verify(bytesOf(vector.signature), message, bytesOf(vector.public_key))).toBe(true);
  });

  test(`agrees with OpenSSL and noble for ${CASES} random keys`, () => {
    const random = createRandom(8);
    for (let i = 0; i < CASES; i++) {
      const [key, message] = [random(32), random(i % 200)];
      const openssl = opensslPair(key);
      const publicKey = toHex(module.publicKey(key));
      expect(publicKey).toBe(toHex(openssl.publicKey));
      expect(publicKey).toBe(toHex(getPublicKey(key)));
      const signature = toHex(module.sign(message, key)!);
      expect(signature).toBe(toHex(openssl.sign(message)));
      expect(signature).toBe(toHex(sign(message, key)));
    }
  });

  test('signs with keys made of extreme byte values', () => {
    for (const fill of [0x00, 0x01, 0x7f, 0x80, 0xff]) {
      const key = new Uint8Array(32).fill(fill);
      expect(module.publicKey(key)).toEqual(opensslPublicKey(key));
      expect(module.sign(key, key)).toEqual(opensslSign(key, key));
    }
  });

  test('may write the signature over the message and the key', () => {
    const random = createRandom(10);
    const [key, message] = [random(32), random(32)];
    const address = module.place(message);
    const keyAddress = module.place(key);
    const expected = module.place(opensslPublicKey(key));
    expect(module.exports.sign(address, address, 32, keyAddress, expected)).toBe(SIGNED);
    expect(module.memory.slice(address, address + 64)).toEqual(opensslSign(message, key));
    module.clear();
  });

  test('does not sign if any bit of the expected public key is wrong, and reports it', () => {
    const random = createRandom(16);
    const [key, message] = [random(32), random(32)];
    const out = module.place(new Uint8Array(64).fill(0xaa));
    const [messageAt, keyAt] = [module.place(message), module.place(key)];
    const expected = module.place(opensslPublicKey(key));
    for (let bit = 0; bit < 256; bit++) {
      module.memory[expected + (bit >> 3)]! ^= 1 << (bit & 7);
      expect(module.exports.sign(out, messageAt, 32, keyAt, expected)).toBe(WRONG_KEY);
      expect(module.memory.slice(out, out + 64)).toEqual(new Uint8Array(64));
      module.memory[expected + (bit >> 3)]! ^= 1 << (bit & 7);
    }
    module.clear();
  });
});
