import { createPrivateKey, createPublicKey, sign as nodeSign } from 'node:crypto';
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
