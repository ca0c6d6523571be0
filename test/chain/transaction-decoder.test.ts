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

function setU64(bytes: Uint8Array, offset: number, value: bigint): Uint8Array {
  new DataView(bytes.buffer, bytes.byteOffset).setBigUint64(offset, value, true);
  return bytes;
}

function timestampOf(bytes: Uint8Array): bigint {
  return Buffer.from(bytes).readBigUInt64LE(5);
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

  // Offsets counted by hand on docs/TRANSACTION.md#wire-format: the reference transaction ends its fields at
  // 4, 5, 13, 49, 85, 93, 97, 105, 109, 113.
  test.each([
    ['an empty transaction', (_: Uint8Array) => new Uint8Array(0), 'tx-empty', 0, 0],
    ['an unsupported type', (tx: Uint8Array) => tx.with(0, 9), 'type-unsupported', 1, 0],
    ['an unsupported version', (tx: Uint8Array) => tx.with(4, 3), 'bad-version', 2, 4],
    ['a timestamp of 0', (tx: Uint8Array) => tx.fill(0, 5, 13), 'timestamp-zero', 3, 5],
    ['a sender other than the own account', (tx: Uint8Array) => tx.with(20, 0), 'sender-not-own', 4, 13],
    ['a recipient of an unknown kind', (tx: Uint8Array) => tx.with(49, 17), 'account-kind', 5, 49],
    ['a missing recipient', (tx: Uint8Array) => tx.with(49, 2), 'recipient-missing', 5, 49],
    ['a recipient cut short', (tx: Uint8Array) => tx.subarray(0, 84), 'truncated', 5, 53],
    ['a fee cut short', (tx: Uint8Array) => tx.subarray(0, 92), 'truncated', 6, 85],
    ['a wrong body length', (tx: Uint8Array) => tx.with(93, 7), 'body-length', 7, 93],
    ['a body cut short', (tx: Uint8Array) => tx.subarray(0, 104), 'truncated', 8, 97],
    ['an escrow approver of 20 bytes', (tx: Uint8Array) => tx.with(105, 4), 'account-kind', 9, 105],
    ['an escrow cut short', (tx: Uint8Array) => tx.with(105, 0), 'truncated', 9, 109],
    ['an excessive message length', (tx: Uint8Array) => tx.fill(0xff, 109, 113), 'message-too-long', 10, 109],
    ['a message cut short', (tx: Uint8Array) => tx.with(109, 1), 'truncated', 11, 113],
    ['a byte too many', (tx: Uint8Array) => Uint8Array.of(...tx, 0), 'trailing-bytes', 11, 113],
    ['the first of two faults', (tx: Uint8Array) => tx.with(93, 7).with(4, 0), 'bad-version', 2, 4],
  ])('names the field and offset of %s', (_what, change, reason, field, offset) => {
    const fault = faultOf(() => decodeTransaction(change(bytesOf(transactionCases[0]?.tx ?? '')), own));
    expect({ reason: fault.reason, field: fault.field, offset: fault.offset }).toEqual({
      reason,
      field,
      offset,
    });
  });

  // With escrow: approver 105, commission 141, timeout 149, instruction length 157, instruction 161.
  test.each([
    [
      'a timeout equal to the timestamp',
      (tx: Uint8Array) => setU64(tx, 149, timestampOf(tx)),
      'escrow-timeout',
      149,
    ],
    [
      'an excessive instruction length',
      (tx: Uint8Array) => tx.fill(0xff, 157, 161),
      'instruction-too-long',
      157,
    ],
    ['an invalid multi-party flag', (tx: Uint8Array) => tx.with(161, 2), 'multi-party', 161],
  ])('names the field and offset of %s in an escrow', (_what, change, reason, offset) => {
    const { tx } = transactionCases.find(({ name }) => name === 'send with escrow, no instruction')!;
    const fault = faultOf(() => decodeTransaction(change(bytesOf(tx)), own));
    expect([fault.reason, fault.field, fault.offset]).toEqual([reason, 9, offset]);
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
  const linkedBytes = bytesOf(approvals[0]?.linked ?? '');

  test.each(approvals)('splits the linked transaction of $name at its signature', ({ tx, linked = '' }) => {
    const approval = decodeTransaction(bytesOf(tx)) as ApprovalEscrow;
    const { transaction, unsigned, signature } = decodeLinked(bytesOf(linked));
    expect(encodeTransaction(transaction)).toEqual(unsigned);
    expect(Uint8Array.of(...unsigned, ...signature)).toEqual(bytesOf(linked));
    expect(approval.escrowHash).toEqual(transactionHash(unsigned, signature));
    expect(transaction.escrow?.approver).toEqual(approval.sender);
  });

  test('does not limit the sizes or the timeout of a transaction that is already on the chain', () => {
    const { transaction, signature } = decodeLinked(linkedBytes);
    const { escrow } = transaction;
    const timeout = transaction.timestamp;
    const large = { ...transaction, escrow: { ...escrow!, timeout, instruction: new Uint8Array(600) } };
    const unsigned = encodeTransaction({ ...large, message: new Uint8Array(3000) });
    expect(decodeLinked(Uint8Array.of(...unsigned, ...signature)).transaction.message).toHaveLength(3000);
  });

  test.each([
    ['an escrow approval', (bytes: Uint8Array) => bytes.with(0, 4), 'linked-type', 0],
    ['an unknown type', (bytes: Uint8Array) => bytes.with(0, 2), 'linked-type', 0],
    ['a sender of another kind', (bytes: Uint8Array) => bytes.with(13, 3), 'linked-sender-kind', 13],
    [
      'a multi-party flag of 2',
      (bytes: Uint8Array) => bytes.with(-69, 2),
      'multi-party',
      linkedBytes.length - 69,
    ],
    ['an empty transaction', (bytes: Uint8Array) => bytes.slice(0, 0), 'truncated', 0],
    [
      '63 signature bytes',
      (bytes: Uint8Array) => bytes.slice(0, -1),
      'linked-signature',
      linkedBytes.length - 64,
    ],
    [
      '65 signature bytes',
      (bytes: Uint8Array) => Uint8Array.of(...bytes, 0),
      'linked-signature',
      linkedBytes.length - 64,
    ],
  ])('refuses %s', (_what, change, reason, offset) => {
    const fault = faultOf(() => decodeLinked(change(linkedBytes)));
    expect([fault.status, fault.field, fault.reason, fault.offset]).toEqual([
      'MALFORMED',
      12,
      reason,
      offset,
    ]);
  });

  test('refuses a linked transaction without an escrow', () => {
    const plain = Uint8Array.of(...bytesOf(transactionCases[0]?.tx ?? ''), ...new Uint8Array(64));
    expect(faultOf(() => decodeLinked(plain))).toMatchObject({
      reason: 'linked-without-escrow',
      offset: 105,
    });
  });
});
