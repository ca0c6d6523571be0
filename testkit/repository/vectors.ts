import { readFileSync } from 'node:fs';

export interface TransactionCase {
  name: string;
  account: number;
  genesis: string;
  tx: string;
  linked?: string;
  token?: { decimals?: number; symbol?: string };
  /** `details` is the review if details are turned on. */
  expect: { review: [string, string][]; details: [string, string][]; signature: string; tx_hash: string };
}

/** Two inputs with the same review, and the review of the first input if details are turned on. */
interface DetailsCase
  extends Required<Pick<TransactionCase, 'name' | 'account' | 'genesis' | 'tx' | 'linked'>> {
  alike: Required<Pick<TransactionCase, 'genesis' | 'tx' | 'linked'>>;
  expect: { review: [string, string][] };
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

/**
 * A new seed of a keystore, and the presses that enter its rolls or flips: 1 is left, 2 is right, 3 is both.
 */
interface SeedCase {
  kind: 'dice' | 'coins';
  words: number;
  raw: string;
  devicePart: string;
  record: string;
  presses: string;
  entropy: string;
  mnemonic: string;
  checkedBy: string[][];
  passphrase: string;
  seed: string;
  fingerprint: string;
}

/** A command, its reply with the status word, and the review that the person decides in between. */
export interface CommandStep {
  command: string;
  reply: string;
  review?: [string, string][];
  decide?: 'approve' | 'reject';
}

/** Commands of contacts, one after another, on a signer with these settings. */
export interface ContactCase {
  name: string;
  settings?: { unknownChains?: 'refused'; details?: 'shown'; contactsOnly?: true };
  steps: CommandStep[];
}

/** Commands with a commitment, one after another, and what their signature is made of. */
interface AntiExfilCase {
  name: string;
  steps: CommandStep[];
  values?: Record<'n' | 'commitment' | 'message' | 'nonce_point' | 'tweak' | 'signature', string> & {
    account: number;
  };
}

type SlipNode = { path: number[] } & Record<'chain_code' | 'key' | 'public_key', string>;
type Ed25519Case = Record<'name' | 'key' | 'public_key' | 'message' | 'signature', string>;

interface KeystoreVectors {
  seeds: SeedCase[];
  refused: { kind: string; words: number; record: string; reason: string }[];
  words: { word: string; index: number; presses: string }[];
  lastWords: { first: string; candidates: string[] }[];
  phrases: { mnemonic: string; seed: string; fingerprint: string }[];
}

/** Reads vectors/<name>.json from the repository's root. */
function readJson<Content>(name: string): Content {
  const file = new URL(`../../../vectors/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

const readVectors = <Case>(name: string) => readJson<{ mnemonic: string; cases: Case[] }>(name);

export const accounts = readVectors<AccountCase>('accounts');
export const antiExfil = readVectors<AntiExfilCase>('anti-exfil');
export const contacts = readVectors<ContactCase>('contacts');
export const detailsCases = readJson<{ cases: DetailsCase[] }>('details').cases;
export const messages = readVectors<MessageCase>('messages');
export const refusals = readVectors<RefusalCase>('refusals');
export const transactions = readVectors<TransactionCase>('transactions');

export const keystore = readJson<KeystoreVectors>('keystore');

/** Nodes of SLIP-0010, with their paths before hardening. */
export const slipNodes = readJson<{ cases: { name: string; seed: string; nodes: SlipNode[] }[] }>(
  'slip-0010',
).cases.flatMap(({ name, seed, nodes }) => nodes.map(node => ({ name, seed, ...node })));
export const ed25519Cases = readJson<{ cases: Ed25519Case[] }>('ed25519').cases;

export const accountCases = accounts.cases;
export const refusalCases = refusals.cases;
export const transactionCases = transactions.cases;

/** Decodes hex. The result is a plain Uint8Array and not a Buffer. */
export function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
