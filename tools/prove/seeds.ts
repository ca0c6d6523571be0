// seeds <archive>: the vectors as sessions of the fuzzer (prove/fuzz/session.h), where its search begins.
import { readFileSync, writeFileSync } from 'node:fs';
import { packSessions } from './archive.js';

const RAW_COMMAND = 0;
const PRESS = 1;
const CANCEL = 2;
const RESTART = 3;
const TRANSACTION = 4;
const MESSAGE = 5;
const PUBLIC_KEY = 6;
const WALK = 7;
const LOCK = 8;

const [LEFT, RIGHT, BOTH] = [1, 2, 3];
const [APPROVE, REJECT, STOP, BACK_AND_APPROVE] = [0, 1, 2, 3];
const ACCOUNTS = [0, 1, 2, 0x7fffffff];
const TOKEN_TAIL = 8;
/** Own sender, own approver, and the hash of what is linked. */
const MENDED = 7;

interface TransactionCase {
  account: number;
  tx: string;
  linked?: string;
  token?: { decimals?: number; symbol?: string };
}

interface MessageCase {
  account: number;
  message: string;
}

function readCases<Case>(name: string): Case[] {
  return (JSON.parse(readFileSync(`vectors/${name}.json`, 'utf8')) as { cases: Case[] }).cases;
}

function step(code: number, ...payload: (number | Uint8Array)[]): Buffer {
  const bytes = Buffer.concat(payload.map(part => (typeof part === 'number' ? Buffer.of(part) : part)));
  const header = Buffer.of(code, 0, 0);
  header.writeUInt16LE(bytes.length, 1);
  return Buffer.concat([header, bytes]);
}

const session = (...steps: Buffer[]) => Buffer.concat(steps);

const accountChoice = (account: number) => Math.max(0, ACCOUNTS.indexOf(account));

function transactionStep({ account, tx, linked = '', token }: TransactionCase, flags = 0): Buffer {
  const symbol = Buffer.from(token?.symbol ?? '');
  const linkedBytes = Buffer.from(linked, 'hex');
  const linkedLength = Buffer.alloc(2);
  linkedLength.writeUInt16LE(linkedBytes.length);
  const allFlags = flags | (token ? TOKEN_TAIL : 0);
  const choices = [accountChoice(account), 1, allFlags, 0, token?.decimals ?? 0xff, symbol.length];
  return step(TRANSACTION, ...choices, linkedLength, symbol, Buffer.from(tx, 'hex'), linkedBytes);
}

const messageStep = ({ account, message }: MessageCase) =>
  step(MESSAGE, accountChoice(account), 0, 0, 0, Buffer.from(message, 'hex'));

const transactions = readCases<TransactionCase>('transactions');
const refusals = readCases<TransactionCase>('refusals');
const messages = readCases<MessageCase>('messages');
const version = step(RAW_COMMAND, Buffer.from('e003000000', 'hex'));

const sessions = [
  session(step(RAW_COMMAND, Buffer.from('b001000000', 'hex')), version),
  ...[0, 1, 2, 3, 4, 5].map(choice =>
    session(step(PUBLIC_KEY, choice, 0), step(PUBLIC_KEY, choice, 1), version, step(WALK, choice)),
  ),
  session(step(PRESS, RIGHT, BOTH, BOTH), version, transactionStep(transactions[0]!), step(RESTART), version),
  session(step(LOCK, 1), version, messageStep(messages[0]!), step(LOCK, 0), messageStep(messages[0]!)),
  session(messageStep(messages[0]!), step(LOCK, 1), step(WALK, APPROVE), step(CANCEL)),
  session(messageStep(messages[0]!), step(PRESS, RIGHT, LEFT, LEFT, BOTH, RIGHT, RIGHT, RIGHT, RIGHT, BOTH)),
  ...transactions.flatMap(test => [
    session(transactionStep(test), step(WALK, APPROVE)),
    session(transactionStep(test, MENDED), step(WALK, BACK_AND_APPROVE)),
    session(transactionStep(test), step(WALK, REJECT), step(WALK, STOP)),
  ]),
  ...refusals.map(test => session(transactionStep(test))),
  ...messages.map(test => session(messageStep(test), step(WALK, APPROVE))),
];

const [archive] = process.argv.slice(2) as [string];
writeFileSync(archive, packSessions(sessions));
