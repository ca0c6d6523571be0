import { accounts, refusals, transactions } from '../support/vectors.js';

export type { RefusalCase, TransactionCase } from '../support/vectors.js';

export const accountCases = accounts.cases;
export const refusalCases = refusals.cases;
export const transactionCases = transactions.cases;

/** Bytes of hex by Node's own decoder, without Buffer's other methods. */
export function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
