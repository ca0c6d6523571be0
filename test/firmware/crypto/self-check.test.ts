import { compileWithoutVerification } from '../../support/spoilt-firmware.js';
import { CryptoModule } from './crypto-module.js';
import { opensslPublicKey, opensslSign } from './openssl.js';
import { createRandom } from './random.js';

const module = new CryptoModule(await compileWithoutVerification('crypto.wasm'));
const random = createRandom(15);
const [key, message] = [random(32), random(32)];

describe('a signature that does not verify', () => {
  test('is right all the same in this module, whose verification alone is broken', () => {
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

  test('is not given out: 64 zeros are', () => {
    const [out, text, keyAt] = [new Uint8Array(64).fill(0xee), message, key].map(bytes =>
      module.place(bytes),
    ) as [number, number, number];
    expect(module.exports.sign(out, text, 32, keyAt)).toBe(0);
    expect(module.memory.slice(out, out + 64)).toEqual(new Uint8Array(64));
    module.clear();
  });
});
