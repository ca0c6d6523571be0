import { createHash } from 'node:crypto';
import {
  accountFromPublicKey,
  encodeTransaction,
  signingDigest,
  transactionHash,
  transactionId,
} from '@zbc-signer/chain';
import { accountCases, bytesOf, transactionCases } from '../../testkit/repository/vectors.js';

const sha3 = (bytes: Uint8Array) => new Uint8Array(createHash('sha3-256').update(bytes).digest());

describe('signingDigest', () => {
  test('hashes the 151-byte preimage of the reference transaction: tag, genesis hash, 113 bytes', () => {
    const self = accountFromPublicKey(bytesOf(accountCases[0]?.public_key ?? ''));
    const message = new Uint8Array(0);
    const unsigned = encodeTransaction({
      type: 1,
      amount: 1n,
      timestamp: 1n,
      sender: self,
      recipient: self,
      fee: 1n,
      message,
    });
    const genesis = new Uint8Array(32).fill(9);
    const preimage = Uint8Array.of(0x5a, 0x42, 0x43, 0x2d, 0x54, 0x58, ...genesis, ...unsigned);
    expect([unsigned.length, preimage.length]).toEqual([113, 151]);
    expect(signingDigest(genesis, unsigned)).toEqual(sha3(preimage));
  });

  test.each([0, 31, 33])('refuses a genesis hash of %i bytes', length => {
    expect(() => signingDigest(new Uint8Array(length), new Uint8Array(1))).toThrow(
      `a genesis hash is 32 bytes, not ${length}`,
    );
  });
});

describe('transactionHash', () => {
  test.each(transactionCases)(
    'gives the published hash of $name',
    ({ tx, expect: { signature, tx_hash } }) => {
      expect(transactionHash(bytesOf(tx), bytesOf(signature))).toEqual(bytesOf(tx_hash));
    },
  );

  test('rejects a signature of another length', () => {
    expect(() => transactionHash(new Uint8Array(1), new Uint8Array(63))).toThrow(
      'a signature is 64 bytes, not 63',
    );
  });
});

describe('transactionId', () => {
  test('is the first 8 bytes of the hash as a signed little-endian integer', () => {
    for (const {
      expect: { tx_hash },
    } of transactionCases) {
      const hash = bytesOf(tx_hash);
      expect(transactionId(hash)).toBe(Buffer.from(hash).readBigInt64LE(0));
      expect(transactionId(Uint8Array.of(1, 2, 3, ...hash).subarray(3))).toBe(
        Buffer.from(hash).readBigInt64LE(0),
      );
    }
    expect(transactionId(Uint8Array.of(...new Uint8Array(7), 0x80, ...new Uint8Array(24)))).toBe(
      -(2n ** 63n),
    );
  });

  test('rejects a hash of another length', () => {
    expect(() => transactionId(new Uint8Array(8))).toThrow('a transaction hash is 32 bytes, not 8');
  });
});
