import { createHmac } from 'node:crypto';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { CryptoModule } from '../../../testkit/crypto/crypto-module.js';
import { createRandom } from '../../../testkit/crypto/random.js';
import { caseCount } from '../../../testkit/repository/case-count.js';
import { bytesOf, hexOf, textBytes } from './vectors.js';

const CASES = caseCount(10_000);
const module = new CryptoModule();

// RFC 4231 §4, HMAC-SHA-512; case 5 is the truncated one.
const ANSWERS: { name: string; key: Uint8Array; message: Uint8Array; mac: string }[] = [
  {
    name: '1',
    key: new Uint8Array(20).fill(0x0b),
    message: textBytes('Hi There'),
    mac: '87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854',
  },
  {
    name: '2',
    key: textBytes('Jefe'),
    message: textBytes('what do ya want for nothing?'),
    mac: '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  },
  {
    name: '3',
    key: new Uint8Array(20).fill(0xaa),
    message: new Uint8Array(50).fill(0xdd),
    mac: 'fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb',
  },
  {
    name: '4',
    key: bytesOf('0102030405060708090a0b0c0d0e0f10111213141516171819'),
    message: new Uint8Array(50).fill(0xcd),
    mac: 'b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd',
  },
  {
    name: '6, a key longer than a block',
    key: new Uint8Array(131).fill(0xaa),
    message: textBytes('Test Using Larger Than Block-Size Key - Hash Key First'),
    mac: '80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598',
  },
  {
    name: '7, a key and a message longer than a block',
    key: new Uint8Array(131).fill(0xaa),
    message: textBytes(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    mac: 'e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58',
  },
];

describe('HMAC-SHA512', () => {
  test.each(ANSWERS)('gives the answer of RFC 4231 case $name', ({ key, message, mac }) => {
    expect(hexOf(module.hmacSha512(key, message))).toBe(mac);
  });

  test(`agrees with OpenSSL and noble for ${CASES} random keys of 0 to 255 bytes`, () => {
    const random = createRandom(6);
    for (let i = 0; i < CASES; i++) {
      const [keyLength = 0, blocks = 0] = random(2);
      const [key, message] = [random(keyLength), random(blocks * 3)];
      const mac = hexOf(module.hmacSha512(key, message));
      expect(mac).toBe(createHmac('sha512', key).update(message).digest('hex'));
      expect(mac).toBe(hexOf(hmac(sha512, key, message)));
    }
  });
});
