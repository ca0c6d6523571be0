// seeds <seeds archive> <vectors archive>: writes the sessions (prove/fuzz/session/session.h) from which the
// fuzzer's search starts, and an archive with only the vectors.
import { writeFileSync } from 'node:fs';
import {
  antiExfil,
  type CommandStep,
  type ContactCase,
  contacts,
  type MessageCase,
  messages,
  refusalCases,
  type TransactionCase,
  transactionCases,
} from '../../../testkit/repository/vectors.js';
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
const ELSEWHERE = 9;

const [LEFT, RIGHT, BOTH] = [1, 2, 3];
const [APPROVE, REJECT, STOP, BACK_AND_APPROVE] = [0, 1, 2, 3];
/** Presses that lead to the setting `Details`, and turn it on. */
const SHOW_DETAILS = [RIGHT, BOTH, RIGHT, BOTH];
/** Presses that open the settings, and then change one setting or none and go to the next. */
const OPEN_SETTINGS = [RIGHT, BOTH];
const toggleIf = (isOther: boolean) => (isOther ? [BOTH, RIGHT] : [RIGHT]);
const ACCOUNTS = [0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 883];
// Flags of prove/fuzz/session/upload.h.
const OWN_SENDER = 1;
const LINK_HASH = 2;
const OWN_APPROVER = 4;
const TOKEN_TAIL = 8;
const NO_LAST_CHUNK = 32;
const ONE_TOO_MANY = 64;
const MENDED = OWN_SENDER | LINK_HASH | OWN_APPROVER;

function step(code: number, ...payload: (number | Uint8Array)[]): Buffer {
  const bytes = Buffer.concat(payload.map(part => (typeof part === 'number' ? Buffer.of(part) : part)));
  const header = Buffer.of(code, 0, 0);
  header.writeUInt16LE(bytes.length, 1);
  return Buffer.concat([header, bytes]);
}

const session = (...steps: Buffer[]) => Buffer.concat(steps);

const accountChoice = (account: number) => Math.max(0, ACCOUNTS.indexOf(account));

function transactionStep(
  { account, tx, linked = '', token }: Omit<TransactionCase, 'expect'>,
  flags = 0,
): Buffer {
  const symbol = Buffer.from(token?.symbol ?? '');
  const linkedBytes = Buffer.from(linked, 'hex');
  const linkedLength = Buffer.alloc(2);
  linkedLength.writeUInt16LE(linkedBytes.length);
  const allFlags = flags | (token ? TOKEN_TAIL : 0);
  const decimals = token?.decimals ?? 0xff;
  const choices = [accountChoice(account), 1, allFlags, 0, decimals, symbol.length];
  return step(TRANSACTION, ...choices, linkedLength, symbol, Buffer.from(tx, 'hex'), linkedBytes);
}

const messageStep = ({ account, message }: MessageCase, flags = 0) =>
  step(MESSAGE, accountChoice(account), flags, flags & NO_LAST_CHUNK ? 1 : 0, 0, Buffer.from(message, 'hex'));

const raw = (hex: string) => step(RAW_COMMAND, Buffer.from(hex, 'hex'));
const version = raw('e003000000');

const sessions = [
  session(raw('b001000000'), version),
  ...[0, 1, 2, 3, 4, 5].map(choice =>
    session(step(PUBLIC_KEY, choice, 0), step(PUBLIC_KEY, choice, 1), version, step(WALK, choice)),
  ),
  session(step(PRESS, RIGHT, BOTH, LEFT, RIGHT, BOTH, RIGHT, BOTH), version, step(RESTART), version),
  // After the header, the user turns on the setting that refuses unknown chains.
  session(
    transactionStep(transactionCases[0]!, NO_LAST_CHUNK),
    step(PRESS, RIGHT, BOTH, BOTH),
    raw(`e0060100${(transactionCases[0]!.tx.length / 2).toString(16)}${transactionCases[0]!.tx}`),
  ),
  session(step(PRESS, ...SHOW_DETAILS), step(PUBLIC_KEY, 0, 1), step(WALK, APPROVE)),
  ...transactionCases.map(test =>
    session(step(PRESS, ...SHOW_DETAILS), transactionStep(test), step(WALK, BACK_AND_APPROVE)),
  ),
  session(
    step(PRESS, RIGHT, BOTH, BOTH),
    version,
    transactionStep(transactionCases[0]!),
    step(RESTART),
    version,
  ),
  session(
    step(LOCK, 1),
    version,
    messageStep(messages.cases[0]!),
    step(LOCK, 0),
    messageStep(messages.cases[0]!),
  ),
  session(messageStep(messages.cases[0]!), step(LOCK, 1), step(WALK, APPROVE), step(CANCEL)),
  session(
    messageStep(messages.cases[0]!),
    step(PRESS, RIGHT, LEFT, LEFT, BOTH, RIGHT, RIGHT, RIGHT, RIGHT, BOTH),
  ),
  // A refused header drops the previous upload, and so does any other command.
  ...[raw('e0070000080000000020000000'), raw('e00700000800000000ffff0000'), version, raw('e006010000')].map(
    other => session(messageStep(messages.cases[0]!, NO_LAST_CHUNK), other, raw('e00701000141')),
  ),
  // A command from elsewhere changes no upload, or takes over. Then the upload is completed from either side.
  ...[
    'e003000000',
    'e00500000402000000',
    'e0050100040200000000',
    'e00701000141',
    'e0070000080000000001000000',
    'e006010000',
    'e0',
  ].map(other =>
    session(
      raw('e0070000080000000002000000'),
      step(ELSEWHERE, Buffer.from(other, 'hex')),
      step(ELSEWHERE, Buffer.from('e00701000141', 'hex')),
      raw('e0070100024142'),
      step(WALK, APPROVE),
      version,
    ),
  ),
  ...transactionCases.flatMap(test => [
    session(transactionStep({ ...test, account: 883 }, MENDED), step(WALK, APPROVE)),
    session(transactionStep(test, NO_LAST_CHUNK), transactionStep(test, ONE_TOO_MANY)),
    session(transactionStep(test, MENDED), step(WALK, BACK_AND_APPROVE)),
    session(transactionStep(test), step(WALK, REJECT), step(WALK, STOP)),
  ]),
  ...messages.cases.map(test => session(messageStep(test), version, step(WALK, APPROVE))),
];

const stepsOf = (steps: readonly CommandStep[]) =>
  steps.flatMap(({ command, decide }) => [
    raw(command),
    ...(decide ? [step(WALK, decide === 'approve' ? APPROVE : REJECT)] : []),
  ]);

const contactSession = ({ settings = {}, steps }: ContactCase) =>
  session(
    step(
      PRESS,
      ...OPEN_SETTINGS,
      ...toggleIf(settings.unknownChains !== undefined),
      ...toggleIf(settings.details !== undefined),
      ...toggleIf(settings.contactsOnly === true),
    ),
    ...stepsOf(steps),
  );

// Before REVEAL, a command arrives from elsewhere, which changes nothing or takes over; or the seed is locked.
const revealed = antiExfil.cases.find(({ name }) => name === 'message')!.steps;
const beforeReveal = [
  step(ELSEWHERE, Buffer.from('e00500000402000000', 'hex')),
  step(ELSEWHERE, Buffer.from(revealed.at(-1)!.command, 'hex')),
  step(ELSEWHERE, Buffer.from('e0070000080000000001000000', 'hex')),
  step(LOCK, 1),
  step(PRESS, RIGHT, BOTH, BOTH),
  step(CANCEL),
].map(each => session(...stepsOf(revealed.slice(0, -1)), each, ...stepsOf(revealed.slice(-1)), version));

const vectors = [
  ...transactionCases.map(test => session(transactionStep(test), step(WALK, APPROVE))),
  ...refusalCases.map(test => session(transactionStep(test))),
  ...messages.cases.map(test => session(messageStep(test), step(WALK, APPROVE))),
  ...[0, 1, 3].map(choice =>
    session(step(PUBLIC_KEY, choice, 0), step(PUBLIC_KEY, choice, 1), step(WALK, APPROVE)),
  ),
  ...contacts.cases.map(contactSession),
  ...antiExfil.cases.map(({ steps }) => session(...stepsOf(steps))),
];

const [seedsArchive, vectorsArchive] = process.argv.slice(2) as [string, string];
writeFileSync(seedsArchive, packSessions([...vectors, ...sessions, ...beforeReveal]));
writeFileSync(vectorsArchive, packSessions(vectors));
