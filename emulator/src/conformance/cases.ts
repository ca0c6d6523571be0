import { readFileSync } from 'node:fs';
import { fromHex } from '@zbc-signer/chain';
import { messageUpload, transactionUpload } from '../commands.js';

/** Directory of the golden cases, which every signer must satisfy. */
const DIRECTORY = new URL('../vectors/', import.meta.url);

interface Vector {
  name: string;
  account: number;
  genesis: string;
  tx: string;
  linked?: string;
  token?: { decimals?: number; symbol?: string };
  expect: { signature: string; tx_hash: string };
}

interface MessageVector {
  account: number;
  message: string;
  expect: { signature?: string };
}

interface AccountVector {
  passphrase: string;
  account: number;
  public_key: string;
  address: string;
}

/** Commands that open a review, and the data of the reply after the approval. */
export interface SignedCase {
  name: string;
  commands: Uint8Array[];
  result: string;
}

/** Commands; the signer must refuse the last one. */
interface RefusedCase {
  name: string;
  commands: Uint8Array[];
}

interface AccountCase {
  account: number;
  publicKey: string;
  address: string;
}

interface CommandVector {
  name: string;
  settings?: Partial<Record<Setting, unknown>>;
  steps: { command: string; decide?: 'approve' | 'reject' }[];
}

type Setting = 'unknownChains' | 'details' | 'contactsOnly';

/** Commands, with the decision if one opens a review, while settings differ from the defaults. */
export interface CommandCase {
  name: string;
  settings: Setting[];
  steps: { command: Uint8Array; decide?: 'approve' | 'reject' }[];
}

/** The golden cases of accounts, transactions, messages, refusals, contacts and commitments. */
export interface Cases {
  /** The seed that the signer must hold. */
  mnemonic: string;
  accounts: AccountCase[];
  transactions: SignedCase[];
  messages: SignedCase[];
  refusals: RefusedCase[];
  contacts: CommandCase[];
  antiExfil: CommandCase[];
}

function read<Case>(name: string): { mnemonic: string; cases: Case[] } {
  return JSON.parse(readFileSync(new URL(`${name}.json`, DIRECTORY), 'utf8'));
}

/** The cases published with this program. */
export function readCases(): Cases {
  const { mnemonic, cases: accounts } = read<AccountVector>('accounts');
  const { cases: messages } = read<MessageVector>('messages');
  return {
    mnemonic,
    accounts: accounts
      .filter(({ passphrase }) => passphrase === '')
      .map(({ account, public_key, address }) => ({ account, publicKey: public_key, address })),
    transactions: read<Vector>('transactions').cases.map(vector => ({
      name: vector.name,
      commands: commandsOf(vector),
      result: vector.expect.signature + vector.expect.tx_hash,
    })),
    messages: messages.flatMap((vector, index) =>
      vector.expect.signature === undefined
        ? []
        : [{ ...messageCase(vector, index), result: vector.expect.signature }],
    ),
    refusals: [
      ...read<Vector>('refusals').cases.map(vector => ({ name: vector.name, commands: commandsOf(vector) })),
      ...messages.flatMap((vector, index) =>
        vector.expect.signature === undefined ? [messageCase(vector, index)] : [],
      ),
    ],
    contacts: readCommands('contacts'),
    antiExfil: readCommands('anti-exfil'),
  };
}

function readCommands(file: string): CommandCase[] {
  return read<CommandVector>(file).cases.map(({ name, settings = {}, steps }) => ({
    name,
    settings: Object.keys(settings) as Setting[],
    steps: steps.map(step => ({ ...step, command: fromHex(step.command) })),
  }));
}

function messageCase({ account, message }: MessageVector, index: number): RefusedCase {
  const bytes = fromHex(message);
  return {
    name: `message ${index + 1}, ${bytes.length} bytes`,
    commands: messageUpload(account, bytes),
  };
}

function commandsOf({ account, genesis, tx, linked = '', token }: Omit<Vector, 'expect'>): Uint8Array[] {
  return transactionUpload({
    account,
    genesis: fromHex(genesis),
    transaction: fromHex(tx),
    linked: fromHex(linked),
    token,
  });
}
