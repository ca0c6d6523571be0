import { createHmac } from 'node:crypto';
import { derivePrivateKey, toHex } from '@zbc-signer/chain';
import { CryptoModule } from '../../../testkit/crypto/crypto-module.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import { caseCount } from '../../../testkit/repository/case-count.js';
import { bytesOf, slipNodes } from '../../../testkit/repository/vectors.js';

const CASES = caseCount(10_000);
const module = new CryptoModule();

function deriveWithOpenssl(seed: Uint8Array, path: number[]): Buffer {
  let node = createHmac('sha512', 'ed25519 seed').update(seed).digest();
  for (const index of path) {
    const child = Buffer.concat([Buffer.alloc(1), node.subarray(0, 32), Buffer.alloc(4)]);
    child.writeUInt32BE(index + 0x80000000, 33);
    node = createHmac('sha512', node.subarray(32)).update(child).digest();
  }
  return node.subarray(0, 32);
}

describe('deriveKey', () => {
  test.each(slipNodes)(
    'gives the key of the node $path of SLIP-0010, $name',
    ({ seed, path, chain_code, key, public_key }) => {
      const { exports, memory } = module;
      exports.deriveMaster(module.place(bytesOf(seed)), seed.length / 2);
      for (const index of path) exports.deriveChild(index);
      const node = memory.slice(exports.node(), exports.node() + 64);
      module.clear();
      expect(toHex(node)).toBe(key + chain_code);
      expect(toHex(module.publicKey(bytesOf(key)))).toBe(public_key);
    },
  );

  test(`agrees with OpenSSL and noble for m/44'/883'/account' of ${CASES} random seeds`, () => {
    const random = createRandom(7);
    for (let i = 0; i < CASES; i++) {
      const seed = random(64);
      const account = Buffer.from(random(4)).readUInt32LE() >>> 1;
      const key = toHex(module.deriveKey(seed, account));
      expect(key).toBe(toHex(deriveWithOpenssl(seed, [44, 883, account])));
      // The expected key is noble's, through chain/.
      expect(key).toBe(toHex(derivePrivateKey(seed, account)));
    }
  });
});
