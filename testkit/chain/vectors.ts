import { readFileSync } from 'node:fs';

export interface TransactionCase {
  name: string;
  account: number;
  genesis: string;
  tx: string;
  linked?: string;
  token?: { decimals?: number; symbol?: string };
  expect: { review: [string, string][]; signature: string; tx_hash: string };
}

export interface RefusalCase extends Omit<TransactionCase, 'expect'> {
  expect: { refusal: string; field: number };
}

export interface MessageCase {
  account: number;
  message: string;
  expect: { review: [string, string][]; signature: string } | { refusal: string; field: number };
}

export interface AccountCase {
  passphrase: string;
  account: number;
  public_key: string;
  address: string;
}

/** Reads vectors/<name>.json from the repository's root. */
function readVectors<Case>(name: string): { mnemonic: string; cases: Case[] } {
  const file = new URL(`../../../vectors/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

export const accounts = readVectors<AccountCase>('accounts');
export const messages = readVectors<MessageCase>('messages');
export const refusals = readVectors<RefusalCase>('refusals');
export const transactions = readVectors<TransactionCase>('transactions');

export const accountCases = accounts.cases;
export const refusalCases = refusals.cases;
export const transactionCases = transactions.cases;

/** Bytes of hex by Node's own decoder, without Buffer's other methods. */
export function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
