import {
  type ApprovalEscrow,
  accountFromPublicKey,
  decodeLinked,
  decodeTransaction,
  derivePrivateKey,
  encodeTransaction,
  publicKeyOf,
  seedFromMnemonic,
  TEST_MNEMONIC,
  TransactionError,
  type TransferToken,
  transactionHash,
} from '@zbc-signer/chain';
import fc from 'fast-check';
import {
  bytesOf,
  type RefusalCase,
  refusalCases,
  transactionCases,
} from '../../testkit/repository/vectors.js';

const seed = seedFromMnemonic(TEST_MNEMONIC);
const own = accountFromPublicKey(publicKeyOf(derivePrivateKey(seed, 0)));

/** Faults that only the device sees: of the command's header, and between its two buffers. */
const BEYOND_ONE_BUFFER = new Set([
  'approval without the linked transaction',
  'approval, linked altered',
  'linked transaction on a plain send',
  'token metadata on a plain send',
]);

function faultOf(decode: () => unknown): TransactionError {
  try {
    decode();
  } catch (error) {
    if (error instanceof TransactionError) return error;
    throw error;
  }
  throw new Error('decoded without a fault');
}

function decodeBoth(refusal: RefusalCase): void {
  decodeTransaction(bytesOf(refusal.tx), own);
  decodeLinked(bytesOf(refusal.linked ?? ''), own);
}

describe('decodeTransaction', () => {
  test.each(transactionCases)('decodes $name, which encodes to the same bytes again', ({ tx }) => {
    expect(encodeTransaction(decodeTransaction(bytesOf(tx)))).toEqual(bytesOf(tx));
  });

  test.each(refusalCases.filter(({ name }) => !BEYOND_ONE_BUFFER.has(name)))('refuses $name', refusal => {
    const fault = faultOf(() => decodeBoth(refusal));
    expect([fault.status, fault.field]).toEqual([refusal.expect.refusal, refusal.expect.field]);
  });

  test('accepts any sender if the caller gives no account of its own', () => {
    const other = refusalCases.find(({ name }) => name === 'sender differs in the last byte');
    expect(decodeTransaction(bytesOf(other?.tx ?? '')).type).toBe(1);
  });

  test("reads the same fields as Node's Buffer methods", () => {
    const { tx } = transactionCases.find(({ name }) => name === 'token with escrow and message')!;
    const bytes = Buffer.from(tx, 'hex');
    const transaction = decodeTransaction(bytesOf(tx)) as TransferToken;
    expect(transaction.timestamp).toBe(bytes.readBigUInt64LE(5));
    expect(transaction.fee).toBe(bytes.readBigUInt64LE(85));
    expect(transaction.tokenId).toBe(bytes.readBigInt64LE(97));
    expect(transaction.amount).toBe(bytes.readBigInt64LE(105));
    expect(transaction.feeInToken).toBe(bytes[113] === 1);
    expect(transaction.escrow?.commission).toBe(bytes.readBigUInt64LE(150));
    expect(transaction.escrow?.timeout).toBe(bytes.readBigUInt64LE(158));
    expect(transaction.message.length).toBeGreaterThan(0);
    expect(bytes.subarray(-transaction.message.length).equals(transaction.message)).toBe(true);
  });

  test('gives a transaction that does not change when its input bytes are overwritten', () => {
    // A Buffer is used because its slice shares memory.
    const bytes = Buffer.from(transactionCases[0]?.tx ?? '', 'hex');
    const transaction = decodeTransaction(bytes);
    const before = encodeTransaction(transaction);
    bytes.fill(0xff);
    expect(encodeTransaction(transaction)).toEqual(before);
  });

  test('refuses every truncation of every vector as truncated, at an offset inside the vector', () => {
    for (const { tx } of transactionCases) {
      const whole = bytesOf(tx);
      for (let length = 1; length < whole.length; length += 1) {
        const fault = faultOf(() => decodeTransaction(whole.subarray(0, length)));
        expect(fault.reason).toBe('truncated');
        expect(fault.offset).toBeLessThanOrEqual(length);
      }
    }
  });

  test('accepts any bytes or refuses them with a TransactionError', () => {
    const sender = Uint8Array.of(1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, ...new Uint8Array(36));
    fc.assert(
      fc.property(fc.boolean(), fc.uint8Array({ maxLength: 200, size: 'max' }), (prefixed, tail) => {
        const bytes = prefixed ? Uint8Array.of(...sender, ...tail) : tail;
        try {
          expect(encodeTransaction(decodeTransaction(bytes))).toEqual(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(TransactionError);
          expect((error as TransactionError).offset).toBeLessThanOrEqual(bytes.length);
        }
      }),
      { numRuns: 1000 },
    );
  });

  // The field and offset of each fault are in test/firmware/refusals.test.ts, for device and decoder at once.
  test('refuses an empty transaction', () => {
    expect(faultOf(() => decodeTransaction(new Uint8Array(0)))).toMatchObject({
      reason: 'tx-empty',
      field: 0,
      offset: 0,
    });
  });

  test('reports the size and the limit when a transaction or message is too large', () => {
    expect(faultOf(() => decodeTransaction(new Uint8Array(2049))).message).toBe(
      'the transaction is too large: 2049 bytes, at most 2048 (header, byte 0)',
    );
    const { tx } = refusalCases.find(({ name }) => name === 'message 257')!;
    expect(faultOf(() => decodeTransaction(bytesOf(tx))).message).toBe(
      'the message is too long: 257 bytes, at most 256 (message length, byte 109)',
    );
  });
});

describe('decodeLinked', () => {
  const approvals = transactionCases.filter(({ linked }) => linked !== undefined);

  test.each(approvals)('splits the linked transaction of $name at its signature', ({ tx, linked = '' }) => {
    const approval = decodeTransaction(bytesOf(tx)) as ApprovalEscrow;
    const { transaction, unsigned, signature } = decodeLinked(bytesOf(linked));
    expect(encodeTransaction(transaction)).toEqual(unsigned);
    expect(Uint8Array.of(...unsigned, ...signature)).toEqual(bytesOf(linked));
    expect(approval.escrowHash).toEqual(transactionHash(unsigned, signature));
    expect(transaction.escrow?.approver).toEqual(approval.sender);
  });
});
