import { CryptoModule, NOT_VERIFIED } from '../../../testkit/crypto/crypto-module.js';
import { opensslPublicKey, opensslSign } from '../../../testkit/crypto/openssl.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import { compileWithoutVerification } from '../../../testkit/device/altered-firmware.js';

const module = new CryptoModule(await compileWithoutVerification('crypto.wasm'));
const random = createRandom(15);
const [key, message] = [random(32), random(32)];

describe('a signature that does not verify', () => {
  test('is computed correctly by this module, in which only the verification is broken', () => {
    const publicKey = opensslPublicKey(key);
    expect(module.publicKey(key)).toEqual(publicKey);
    const [out, text, keyAt, publicKeyAt] = [new Uint8Array(64), message, key, publicKey].map(bytes =>
      module.place(bytes),
    ) as [number, number, number, number];
    module.exports.signUnchecked(out, text, 32, keyAt, publicKeyAt);
    expect(module.memory.slice(out, out + 64)).toEqual(opensslSign(message, key));
    module.clear();
    expect(module.verify(opensslSign(message, key), message, publicKey)).toBe(false);
  });

  test('is withheld: the output is 64 zeros', () => {
    const out = module.place(new Uint8Array(64).fill(0xee));
    const [text, keyAt, expectedAt] = [message, key, opensslPublicKey(key)].map(bytes =>
      module.place(bytes),
    ) as [number, number, number];
    expect(module.exports.sign(out, text, 32, keyAt, expectedAt)).toBe(NOT_VERIFIED);
    expect(module.memory.slice(out, out + 64)).toEqual(new Uint8Array(64));
    module.clear();
  });
});
