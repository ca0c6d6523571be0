import { createPrivateKey, createPublicKey, sign as nodeSign, verify as nodeVerify } from 'node:crypto';
import * as ed25519 from '@noble/ed25519';
import {
  derivePrivateKey,
  publicKeyOf,
  seedFromMnemonic,
  sign,
  signDigest,
  signingDigest,
  TEST_MNEMONIC,
  verify,
} from '@zbc-signer/chain';
import fc from 'fast-check';
import { signWithNonce } from '../../testkit/crypto/tweaked-nonce.js';
import { bytesOf, transactionCases } from '../../testkit/repository/vectors.js';

const seed = seedFromMnemonic(TEST_MNEMONIC);
const privateKeys = fc.uint8Array({ minLength: 32, maxLength: 32 });
const PKCS8_ED25519 = bytesOf('302e020100300506032b657004220420');
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

function nodeKey(privateKey: Uint8Array) {
  const der = Buffer.concat([PKCS8_ED25519, privateKey]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** The same signature with the group order added to its scalar: a second encoding that RFC 8032 forbids. */
function malleated(signature: Uint8Array): Uint8Array {
  const scalar = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + ORDER;
  const bytes = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse();
  return Uint8Array.of(...signature.subarray(0, 32), ...bytes);
}

/** The neutral point, and points of order 2, 4 and 8 (RFC 8032 encodings). */
const NEUTRAL = `01${'00'.repeat(31)}`;
const smallOrderPoints = [
  NEUTRAL,
  `ecff${'ff'.repeat(29)}7f`,
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
];

describe('sign', () => {
  test('agrees with Node for any key and message', () => {
    fc.assert(
      fc.property(privateKeys, fc.uint8Array({ maxLength: 100 }), (privateKey, message) => {
        const wanted = nodeSign(null, message, nodeKey(privateKey));
        expect(sign(message, privateKey)).toEqual(new Uint8Array(wanted));
        const spki = createPublicKey(nodeKey(privateKey)).export({ format: 'der', type: 'spki' });
        expect(publicKeyOf(privateKey)).toEqual(new Uint8Array(spki.subarray(-32)));
      }),
      { numRuns: 20 },
    );
  });

  test.each(transactionCases)(
    'gives the published signature of $name',
    ({ account, genesis, tx, expect: wanted }) => {
      const digest = signingDigest(bytesOf(genesis), bytesOf(tx));
      expect(signDigest(digest, derivePrivateKey(seed, account))).toEqual(bytesOf(wanted.signature));
    },
  );

  test('signDigest accepts only 32 bytes', () => {
    expect(() => signDigest(new Uint8Array(31), new Uint8Array(32))).toThrow('a digest is 32 bytes, not 31');
  });
});

describe('verify', () => {
  const privateKey = derivePrivateKey(seed, 0);
  const publicKey = publicKeyOf(privateKey);
  const message = bytesOf('616263');
  const signature = new Uint8Array(nodeSign(null, message, nodeKey(privateKey)));

  test('accepts a signature made by Node', () => {
    expect(verify(signature, message, publicKey)).toBe(true);
  });

  test.each(smallOrderPoints)('agrees with Node about R with a part of small order: %s', hex => {
    const forged = signWithNonce(privateKey, message, 12345n, ed25519.Point.fromBytes(bytesOf(hex)));
    const node = nodeVerify(null, message, createPublicKey(nodeKey(privateKey)), forged);
    expect([verify(forged, message, publicKey), node]).toEqual([hex === NEUTRAL, hex === NEUTRAL]);
    expect(ed25519.verify(forged, message, publicKey, { zip215: false })).toBe(true);
  });

  test('fails for a key of small order, for which anybody can sign anything', () => {
    const scalar = 12345n;
    const R = ed25519.Point.BASE.multiply(scalar).toBytes();
    const s = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse();
    expect(verify(Uint8Array.of(...R, ...s), message, bytesOf(NEUTRAL))).toBe(false);
  });

  test('fails when any bit of the signature, message or key is changed', () => {
    const flip = (bytes: Uint8Array, bit: number) =>
      bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    fc.assert(
      fc.property(fc.nat(511), fc.nat(23), fc.nat(255), (inSignature, inMessage, inKey) => {
        expect(verify(flip(signature, inSignature), message, publicKey)).toBe(false);
        expect(verify(signature, flip(message, inMessage), publicKey)).toBe(false);
        expect(verify(signature, message, flip(publicKey, inKey))).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  test('fails for the non-canonical encoding of the same signature', () => {
    expect(verify(malleated(signature), message, publicKey)).toBe(false);
  });

  test('fails for a key or signature of an invalid length', () => {
    expect(verify(signature.subarray(1), message, publicKey)).toBe(false);
    expect(verify(signature, message, publicKey.subarray(1))).toBe(false);
    expect(verify(new Uint8Array(64), message, new Uint8Array(32))).toBe(false);
  });
});
