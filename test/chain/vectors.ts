import { readFileSync } from 'node:fs';

const VECTORS = new URL('../../../vectors/', import.meta.url);

export interface AccountCase {
  passphrase: string;
  account: number;
  public_key: string;
  address: string;
}

export interface TransactionCase {
  name: string;
  account: number;
  genesis: string;
  tx: string;
  linked?: string;
  token?: { decimals?: number; symbol?: string };
  expect: { review: [title: string, value: string][]; signature: string; tx_hash: string };
}

export interface RefusalCase extends Omit<TransactionCase, 'expect'> {
  expect: { refusal: string; field: number };
}

function load<Case>(file: string): Case[] {
  return JSON.parse(readFileSync(new URL(file, VECTORS), 'utf8')).cases;
}

export const accountCases = load<AccountCase>('accounts.json');
export const transactionCases = load<TransactionCase>('transactions.json');
export const refusalCases = load<RefusalCase>('refusals.json');

/** Bytes of hex by Node's own decoder. */
export function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
