import {
  accountFromHex,
  decodeLinked,
  decodeTransaction,
  fromHex,
  type TransactionError,
} from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import * as reasons from '@zbc-signer/protocol/refusal-reasons';
import * as statusWords from '@zbc-signer/protocol/status-words';
import { sha3 } from '../../testkit/crypto/sha3.js';
import { send, signMessage, signTransaction } from '../../testkit/device/apdu.js';
import { REFUSALS } from '../../testkit/repository/specification.js';
import { accounts, contacts } from '../../testkit/repository/vectors.js';
import { itemsOf } from './shown.js';

type Status = keyof typeof statusWords;
type Reason = keyof typeof reasons;
/** Where and why a command is refused. The usual status is MALFORMED. */
type Refusal = [field: number, offset: number, reason: Reason, status?: Status];

const OWN = `00000000${accounts.cases[0]!.public_key}`;
const OTHER = `00000000${accounts.cases[1]!.public_key}`;
const GENESIS = '5a'.repeat(32);
const NONE = '02000000';

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer).toString('hex');
const u64 = (value: bigint) => Buffer.from(BigUint64Array.of(value).buffer).toString('hex');

/** The rows of the wire format in hex; given rows replace those of a valid send. */
interface Rows {
  type?: string;
  version?: string;
  timestamp?: string;
  sender?: string;
  recipient?: string;
  fee?: string;
  bodyLength?: string;
  body?: string;
  escrow?: string;
  messageLength?: string;
  message?: string;
  tail?: string;
  /** Where the transaction is cut off. */
  length?: number;
}

const SEND = { type: u32(1), recipient: OTHER, bodyLength: u32(8), body: u64(1n) };
const TOKEN = { type: u32(11), recipient: OTHER, bodyLength: u32(17), body: `${u64(7n)}${u64(9n)}01` };
const APPROVAL = { type: u32(4), recipient: NONE, bodyLength: u32(36) };

function wire(rows: Rows): string {
  const send = { version: '01', timestamp: u64(1000n), sender: OWN, fee: u64(5n), escrow: NONE, ...SEND };
  const row = { messageLength: u32(0), message: '', tail: '', ...send, ...rows };
  return [
    row.type,
    row.version,
    row.timestamp,
    row.sender,
    row.recipient,
    row.fee,
    row.bodyLength,
    row.body,
    row.escrow,
    row.messageLength,
    row.message,
    row.tail,
  ]
    .join('')
    .slice(0, 2 * (rows.length ?? 2048));
}

function escrow(
  terms: { approver?: string; timeout?: bigint; length?: number; text?: string; flag?: string } = {},
): string {
  const text = terms.text ?? '';
  const length = u32(terms.length ?? text.length / 2);
  return `${terms.approver ?? OWN}${u64(3n)}${u64(terms.timeout ?? 1001n)}${length}${text}${terms.flag ?? '00'}`;
}

/** An approval with the hash of the linked bytes. */
function approval(linked: string): { tx: string; linked: string } {
  const hash = sha3(Buffer.from(linked, 'hex'));
  return { tx: wire({ ...APPROVAL, body: u32(0) + hash.toString('hex') }), linked };
}

/** Returns what the decoder of host programs finds in the same bytes. */
function decoded({ tx, linked }: { tx: string; linked?: string }): string {
  const own = accountFromHex(OWN);
  try {
    decodeTransaction(fromHex(tx), own);
    if (linked !== undefined) decodeLinked(fromHex(linked), own);
    return 'no fault';
  } catch (error) {
    const { field, offset, reason, status } = error as TransactionError;
    return refusal([field, offset, reason.toUpperCase().replaceAll('-', '_') as Reason, status]);
  }
}

/** A transaction with its signature, as stored on the chain for the approver. */
const escrowed = (rows: Rows = {}, signature = '77'.repeat(64)) =>
  wire({ sender: OTHER, escrow: escrow(), ...rows }) + signature;

let emulator: Emulator;
beforeAll(async () => {
  emulator = await Emulator.start();
});
afterAll(() => emulator.stop());

/** Returns the refusal. If the device accepts the transaction instead, this function rejects the review. */
async function refusalOf(apdus: Uint8Array[]): Promise<string> {
  const answer = send(bytes => emulator.exchange(bytes), apdus);
  const review = emulator.waitForReview().catch(() => answer);
  if (!(await Promise.race([answer, review]))) await emulator.reject();
  const { status, data } = await answer;
  return `${status} ${data.toString('hex')}`.trim();
}

function refusal([field, offset, reason, status = 'MALFORMED']: Refusal): string {
  const detail = Buffer.of(field, offset & 0xff, offset >> 8, reasons[reason]);
  return `${statusWords[status].toString(16).toUpperCase()} ${detail.toString('hex')}`;
}

const MAIN: [string, Rows, Refusal][] = [
  ['type 2', { type: u32(2) }, [1, 0, 'TYPE_UNSUPPORTED', 'UNSUPPORTED_TYPE']],
  ['version 2', { version: '02' }, [2, 4, 'BAD_VERSION']],
  ['timestamp 0', { timestamp: u64(0n) }, [3, 5, 'TIMESTAMP_ZERO']],
  ['another sender', { sender: OTHER }, [4, 13, 'SENDER_NOT_OWN', 'SENDER_MISMATCH']],
  [
    'its own key under another kind as its sender',
    { sender: u32(3) + OWN.slice(8) },
    [4, 13, 'SENDER_NOT_OWN', 'SENDER_MISMATCH'],
  ],
  ['recipient kind 17', { recipient: u32(17) }, [5, 49, 'ACCOUNT_KIND']],
  ['recipient kind 2^31', { recipient: u32(2 ** 31) }, [5, 49, 'ACCOUNT_KIND']],
  ['no recipient', { recipient: NONE }, [5, 49, 'RECIPIENT_MISSING']],
  ['no recipient of a token', { ...TOKEN, recipient: NONE }, [5, 49, 'RECIPIENT_MISSING']],
  ['a recipient of an approval', { ...APPROVAL, recipient: OTHER }, [5, 49, 'RECIPIENT_UNEXPECTED']],
  ['a body length of 2^32 − 8', { bodyLength: u32(2 ** 32 - 8) }, [7, 93, 'BODY_LENGTH']],
  ['the older body of an approval', { ...APPROVAL, bodyLength: u32(12) }, [7, 61, 'BODY_LENGTH']],
  ...[8, 15, 18].map((length): [string, Rows, Refusal] => [
    `a token body of ${length}`,
    { ...TOKEN, bodyLength: u32(length), body: `${u64(7n)}${u64(9n)}0100`.slice(0, 2 * length) },
    [7, 93, 'BODY_LENGTH'],
  ]),
  ['token 0', { ...TOKEN, body: `${u64(0n)}${u64(9n)}01` }, [8, 97, 'TOKEN_ID_ZERO']],
  [
    'a negative token amount',
    { ...TOKEN, body: `${u64(7n)}${u64(2n ** 63n)}01` },
    [8, 105, 'TOKEN_AMOUNT_NEGATIVE'],
  ],
  ['fee flag 2', { ...TOKEN, body: `${u64(7n)}${u64(9n)}02` }, [8, 113, 'FEE_IN_TOKEN']],
  ['decision 2', { ...APPROVAL, body: u32(2) + '00'.repeat(32) }, [8, 65, 'BAD_APPROVAL']],
  ...(
    [
      [84, 5, 53],
      [92, 6, 85],
      [104, 8, 97],
      [140, 9, 109],
    ] as const
  ).map(([length, field, offset]): [string, Rows, Refusal] => [
    `only its first ${length} bytes`,
    { escrow: escrow(), length },
    [field, offset, 'TRUNCATED'],
  ]),
  ['an approver of 20 bytes', { escrow: `${u32(4)}${'00'.repeat(61)}` }, [9, 105, 'ACCOUNT_KIND']],
  ['a timeout at the timestamp', { escrow: escrow({ timeout: 1000n }) }, [9, 149, 'ESCROW_TIMEOUT']],
  [
    'an instruction of 513',
    { escrow: escrow({ text: '61'.repeat(513) }) },
    [9, 157, 'INSTRUCTION_TOO_LONG', 'TOO_LARGE'],
  ],
  [
    'an instruction of 2^32 − 1',
    { escrow: escrow({ length: 2 ** 32 - 1 }) },
    [9, 157, 'INSTRUCTION_TOO_LONG', 'TOO_LARGE'],
  ],
  ['an instruction cut short', { escrow: escrow({ length: 100 }) }, [9, 161, 'TRUNCATED']],
  ['multi-party 2', { escrow: escrow({ flag: '02' }) }, [9, 161, 'MULTI_PARTY']],
  [
    'an approval with an escrow block, for any approver',
    { ...APPROVAL, body: u32(0) + '00'.repeat(32), escrow: escrow({ approver: u32(4) }) },
    [9, 101, 'ESCROW_UNEXPECTED'],
  ],
  [
    'a message of 257',
    { messageLength: u32(257), message: '61'.repeat(257) },
    [10, 109, 'MESSAGE_TOO_LONG', 'TOO_LARGE'],
  ],
  ['a message of 2^32 − 1', { messageLength: u32(2 ** 32 - 1) }, [10, 109, 'MESSAGE_TOO_LONG', 'TOO_LARGE']],
  ['a message cut short', { messageLength: u32(1) }, [11, 113, 'TRUNCATED']],
  ['bytes behind the message', { tail: '00' }, [11, 113, 'TRAILING_BYTES']],
  [
    'several faults, of which it reports the first in the order of the encoding',
    { version: '02', timestamp: u64(0n), sender: OTHER, bodyLength: u32(7), tail: '00' },
    [2, 4, 'BAD_VERSION'],
  ],
  [
    'a hash of nothing',
    { ...APPROVAL, body: u32(0) + '00'.repeat(32) },
    [8, 69, 'ESCROW_HASH', 'ESCROW_HASH_MISMATCH'],
  ],
];

/** Expects a refusal of the device; and of the decoder, unless the fault is between two buffers. */
async function expectRefused(request: { tx: string; linked?: string }, expected: Refusal): Promise<void> {
  expect(await refusalOf(signTransaction({ account: 0, genesis: GENESIS, ...request }))).toBe(
    refusal(expected),
  );
  if (!['ESCROW_HASH', 'LINKED_UNEXPECTED'].includes(expected[2])) {
    expect(decoded(request)).toBe(refusal(expected));
  }
}

test.each(MAIN)('refuses a transaction with %s', (_what, rows, expected) =>
  expectRefused({ tx: wire(rows) }, expected),
);

const LINKED: [string, { tx: string; linked: string }, Refusal][] = [
  ['on a send', { tx: wire({}), linked: escrowed() }, [12, 0, 'LINKED_UNEXPECTED']],
  ['that is an approval', approval(escrowed({ ...APPROVAL, body: '00'.repeat(36) })), [12, 0, 'LINKED_TYPE']],
  ['of type 2', approval(escrowed({ type: u32(2) })), [12, 0, 'LINKED_TYPE']],
  [
    'whose sender is of kind 3',
    approval(escrowed({ sender: u32(3) + '11'.repeat(32) })),
    [12, 13, 'LINKED_SENDER_KIND'],
  ],
  [
    'cut short behind an invalid kind, which comes first',
    approval(escrowed({ sender: u32(4) }, '').slice(0, 2 * 20)),
    [12, 13, 'LINKED_SENDER_KIND'],
  ],
  ['without escrow', approval(escrowed({ escrow: NONE })), [12, 105, 'LINKED_WITHOUT_ESCROW']],
  [
    "with another's escrow",
    approval(escrowed({ escrow: escrow({ approver: OTHER }) })),
    [12, 105, 'LINKED_APPROVER', 'SENDER_MISMATCH'],
  ],
  ['with 63 bytes of signature', approval(escrowed({}, '77'.repeat(63))), [12, 166, 'LINKED_SIGNATURE']],
  ['with 65 bytes of signature', approval(escrowed({}, '77'.repeat(65))), [12, 166, 'LINKED_SIGNATURE']],
  [
    'with an instruction of 2^32 − 1 bytes',
    approval(escrowed({ escrow: escrow({ length: 2 ** 32 - 1 }) })),
    [12, 161, 'TRUNCATED'],
  ],
  [
    'with a message of 2^32 − 1 bytes',
    approval(escrowed({ messageLength: u32(2 ** 32 - 1) })),
    [12, 166, 'TRUNCATED'],
  ],
  ['with multi-party 2', approval(escrowed({ escrow: escrow({ flag: '02' }) })), [12, 161, 'MULTI_PARTY']],
  ['of no bytes', approval(''), [12, 0, 'TRUNCATED']],
  ['with another fault', approval(escrowed({ version: '00' })), [12, 4, 'BAD_VERSION']],
];

test('refuses a linked transaction whose hash differs in any byte', async () => {
  const { tx, linked } = approval(escrowed());
  const bytes = Buffer.from(tx, 'hex');
  for (let at = 69; at < 69 + 32; at++) {
    const changed = bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
    const request = { tx: Buffer.from(changed).toString('hex'), linked };
    await expectRefused(request, [8, 69, 'ESCROW_HASH', 'ESCROW_HASH_MISMATCH']);
  }
});

test.each(LINKED)('refuses a linked transaction %s', (_what, request, expected) =>
  expectRefused(request, expected),
);

test('sizes and timeout of a linked transaction are limited by neither device nor decoder', async () => {
  const text = '61'.repeat(900);
  const linked = escrowed({ escrow: escrow({ timeout: 1n, text }), messageLength: u32(900), message: text });
  expect(decoded(approval(linked))).toBe('no fault');
  const request = { account: 0, genesis: GENESIS, ...approval(linked) };
  const items = new Map(await itemsOf(emulator, signTransaction(request)));
  expect(items.get('Escrow instruction')).toBe('a'.repeat(900));
  expect(items.get('Escrow message')).toBe('a'.repeat(900));
});

test('refuses decimals and symbol for a transaction that moves no token before it checks any field', async () => {
  const token = { decimals: 2, symbol: 'X' };
  const request = { account: 0, genesis: GENESIS, tx: wire({ version: '09' }), token };
  expect(await refusalOf(signTransaction(request))).toBe(refusal([0, 44, 'TOKEN_TAIL_UNEXPECTED']));
});

const MESSAGES: [string, string, Refusal][] = [
  ['no bytes', '', [0, 4, 'BAD_MESSAGE_LENGTH']],
  ['32 bytes', 'a'.repeat(32), [0, 4, 'BAD_MESSAGE_LENGTH']],
  ['2049 bytes', 'a'.repeat(2049), [0, 4, 'MESSAGE_TOO_LONG', 'TOO_LARGE']],
  ['a tab in the middle', 'ab\tc', [0, 2, 'NOT_TEXT']],
  ['a letter outside ASCII', 'abc\u00e9', [0, 3, 'NOT_TEXT']],
  ['a delete character', '\u007f', [0, 0, 'NOT_TEXT']],
];

test.each(MESSAGES)('refuses to sign a message of %s', async (_what, text, expected) => {
  expect(await refusalOf(signMessage(0, Buffer.from(text)))).toBe(refusal(expected));
});

test('every refusal reason of the protocol is reached here, in commands.test.ts or in vectors.test.ts', () => {
  const here = [MAIN, LINKED, MESSAGES].flat().map(row => reasons[row[2][2]]);
  const ofContacts = contacts.cases.flatMap(({ steps }) =>
    steps.map(({ reply }) => (reply.length === 12 ? Number.parseInt(reply.slice(6, 8), 16) : undefined)),
  );
  const reached = new Set([...here, ...REFUSALS.map(({ reason }) => reason), ...ofContacts]);
  expect(Object.entries(reasons).filter(([, number]) => !reached.has(number))).toEqual([]);
});

test('a valid transaction of each type is not refused', async () => {
  const requests = [wire({}), wire(TOKEN), wire({ escrow: escrow() })].map(tx => ({
    account: 0,
    genesis: GENESIS,
    tx,
  }));
  for (const request of [...requests, { account: 0, genesis: GENESIS, ...approval(escrowed()) }]) {
    const done = send(bytes => emulator.exchange(bytes), signTransaction(request));
    await emulator.approve();
    expect((await done).status).toBe('9000');
  }
});
