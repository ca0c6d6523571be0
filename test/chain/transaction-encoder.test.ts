import {
  ACCOUNT_KINDS,
  type Account,
  accountFromPublicKey,
  decodeTransaction,
  EscrowDecision,
  encodeBody,
  encodeTransaction,
  MAX_I64,
  MAX_U64,
  NO_ACCOUNT,
  type SendZbc,
  type Transaction,
} from '@zbc-signer/chain';
import fc from 'fast-check';
import { bytesOf, transactionCases } from '../../testkit/repository/vectors.js';

const u64 = fc.bigInt(0n, MAX_U64);
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const sender: fc.Arbitrary<Account> = bytes(32).map(accountFromPublicKey);

function accountOf(kinds: number[]): fc.Arbitrary<Account> {
  return fc
    .constantFrom(...kinds)
    .chain(kind => bytes(ACCOUNT_KINDS[kind]?.payloadLength ?? 0).map(payload => ({ kind, payload })));
}

const recipient = accountOf([...ACCOUNT_KINDS.keys()].filter(kind => kind !== NO_ACCOUNT.kind));
const escrow = fc.record({
  approver: accountOf([0, 3, 8, 9, 10, 11, 12]),
  commission: u64,
  timeout: fc.bigInt(1000n, MAX_U64),
  instruction: fc.uint8Array({ maxLength: 512 }),
  multiParty: fc.boolean(),
});
const base = { timestamp: fc.bigInt(1n, 999n), sender, fee: u64, message: fc.uint8Array({ maxLength: 256 }) };
const sends = fc.record({ type: fc.constant(1 as const), amount: u64, recipient, ...base });
const transfers = fc.record({
  type: fc.constant(11 as const),
  tokenId: fc.bigInt(-MAX_I64 - 1n, MAX_I64).filter(id => id !== 0n),
  amount: fc.bigInt(0n, MAX_I64),
  recipient,
  ...base,
});
const flaggedTransfers = fc
  .tuple(transfers, fc.boolean())
  .map(([transfer, feeInToken]) => ({ ...transfer, feeInToken }));
const approvals = fc.record({
  type: fc.constant(4 as const),
  approval: fc.constantFrom(...Object.values(EscrowDecision)),
  escrowHash: bytes(32),
  recipient: fc.constant(NO_ACCOUNT),
  ...base,
});
const transactions: fc.Arbitrary<Transaction> = fc
  .tuple(fc.oneof(sends, transfers, flaggedTransfers, approvals), fc.option(escrow))
  .map(([transaction, block]) =>
    block === null || transaction.type === 4 ? transaction : { ...transaction, escrow: block },
  );

describe('encodeTransaction', () => {
  test('gives bytes that decode to the same transaction', () => {
    fc.assert(
      fc.property(transactions, transaction => {
        expect(decodeTransaction(encodeTransaction(transaction), transaction.sender)).toEqual(transaction);
      }),
    );
  });

  const zero: SendZbc = {
    type: 1,
    amount: 0n,
    timestamp: 1n,
    sender: accountFromPublicKey(new Uint8Array(32)),
    recipient: accountFromPublicKey(new Uint8Array(32)),
    fee: 0n,
    message: new Uint8Array(0),
  };

  test.each([
    ['a negative amount', { ...zero, amount: -1n }, '-1 does not fit an unsigned 64-bit field'],
    [
      'a fee of 65 bits',
      { ...zero, fee: 2n ** 64n },
      '18446744073709551616 does not fit an unsigned 64-bit field',
    ],
    [
      'a token amount of 64 bits',
      { ...zero, type: 11 as const, tokenId: 1n, amount: 2n ** 63n },
      '9223372036854775808 does not fit a signed 64-bit field',
    ],
  ])('refuses %s instead of wrapping the value', (_what, transaction, message) => {
    expect(() => encodeTransaction(transaction)).toThrow(message);
  });

  test('refuses a sender whose payload has the wrong length', () => {
    const sender = { kind: 0, payload: new Uint8Array(31) };
    expect(() => encodeTransaction({ ...zero, sender })).toThrow('must have 32 bytes, but has 31');
  });
});

describe('encodeBody', () => {
  test('gives field 8 of the encoded transaction', () => {
    for (const { tx } of transactionCases) {
      const whole = Buffer.from(bytesOf(tx));
      const recipientLength = 4 + (ACCOUNT_KINDS[whole.readUInt32LE(49)]?.payloadLength ?? 0);
      const start = 49 + recipientLength + 8 + 4;
      const wanted = whole.subarray(start, start + whole.readUInt32LE(start - 4));
      expect(encodeBody(decodeTransaction(bytesOf(tx)))).toEqual(new Uint8Array(wanted));
    }
  });
});
