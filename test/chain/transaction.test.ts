import { Decision, decodeTransaction, TransactionType } from '@zbc-signer/chain';
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
  expect(decision).toMatchObject({ type: TransactionType.ApprovalEscrow, approval: Decision.Approve });
  expect(TransactionType.TransferToken).toBe(11);
  expect(host).toMatchObject({ TransactionType, Decision });
});

test('every constant of Decision is truthy', () => {
  expect(Object.values(Decision).every(Boolean)).toBe(true);
});
