import { decodeTransaction, EscrowDecision, TRANSACTION_FORMATS, TransactionType } from '@zbc-signer/chain';
import * as host from '@zbc-signer/host';
import { bytesOf, transactionCases } from '../../testkit/repository/vectors.js';

const typeOf = (name: string) => {
  const vector = transactionCases.find(found => found.name === name)!;
  return decodeTransaction(bytesOf(vector.tx));
};

test('the constants of the transaction types equal the numbers in the encoded transactions', () => {
  const { type } = typeOf('send to self, reference length 113');
  const decision = typeOf('escrow approve, coin');
  expect(type).toBe(TransactionType.SendZbc);
  expect(decision).toMatchObject({ type: TransactionType.ApprovalEscrow, approval: EscrowDecision.Approve });
  expect(TransactionType.TransferToken).toBe(11);
  expect(host).toMatchObject({ TransactionType, EscrowDecision });
});

test('every constant of EscrowDecision is truthy', () => {
  expect(Object.values(EscrowDecision).every(Boolean)).toBe(true);
});

test('a token transfer costs its fee in coins unless its flag says that the token pays it', () => {
  const { type, ...fields } = typeOf('token');
  if (type !== TransactionType.TransferToken) throw new Error('another type');
  const { coinsLeaving } = TRANSACTION_FORMATS[type];
  const costs = [undefined, false, true].map(feeInToken =>
    coinsLeaving({ ...fields, type, fee: 7n, ...(feeInToken !== undefined && { feeInToken }) } as never),
  );
  expect(costs).toEqual([7n, 7n, 0n]);
});
