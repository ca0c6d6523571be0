import { createHmac } from 'node:crypto';
import { derivePrivateKey } from '@zbc-signer/chain';
import { CryptoModule } from '../../../testkit/crypto/crypto-module.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import { caseCount } from '../../../testkit/repository/case-count.js';
import { bytesOf, hexOf, readVectors } from './vectors.js';

const CASES = caseCount(10_000);
interface SlipVectors {
  cases: {
    name: string;
    seed: string;
    nodes: { path: number[]; chain_code: string; key: string; public_key: string }[];
  }[];
}

const module = new CryptoModule();
const slip = readVectors<SlipVectors>('slip-0010.json');

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
  const nodes = slip.cases.flatMap(({ name, seed, nodes }) => nodes.map(node => ({ name, seed, ...node })));
  test.each(nodes)(
    'gives the key of the node $path of SLIP-0010, $name',
    ({ seed, path, chain_code, key, public_key }) => {
      const { exports, memory } = module;
      exports.deriveMaster(module.place(bytesOf(seed)), seed.length / 2);
      for (const index of path) exports.deriveChild(index);
      const node = memory.slice(exports.node(), exports.node() + 64);
      module.clear();
      expect(hexOf(node)).toBe(key + chain_code);
      expect(hexOf(module.publicKey(bytesOf(key)))).toBe(public_key);
    },
  );

  test(`agrees with OpenSSL and noble for m/44'/883'/account' of ${CASES} random seeds`, () => {
    const random = createRandom(7);
    for (let i = 0; i < CASES; i++) {
      const seed = random(64);
      const account = Buffer.from(random(4)).readUInt32LE() >>> 1;
      const key = hexOf(module.deriveKey(seed, account));
      expect(key).toBe(hexOf(deriveWithOpenssl(seed, [44, 883, account])));
      // The expected key is noble's, through chain/.
      expect(key).toBe(hexOf(derivePrivateKey(seed, account)));
    }
  });
});
