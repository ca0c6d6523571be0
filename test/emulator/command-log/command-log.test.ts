import { Emulator } from '@zbc-signer/emulator';
import fc from 'fast-check';
import { CommandDescriber } from '#emulator/command-log/command-description.js';
import { CommandLog } from '#emulator/command-log/command-log.js';
import type { CommandEntry } from '#emulator/command-log/entry.js';
import { apdu, getPublicKey, send, signTransaction } from '../../../testkit/device/apdu.js';
import { crashingFirmware } from '../../../testkit/device/crashing-firmware.js';
import {
  accounts,
  antiExfil,
  contacts,
  refusals,
  transactions,
} from '../../../testkit/repository/vectors.js';

let emulator: Emulator;
let log: CommandLog;

async function start(options: Parameters<typeof Emulator.start>[0] = {}): Promise<void> {
  emulator = await Emulator.start(options);
  log = new CommandLog(emulator);
}

beforeEach(() => start());

afterEach(() => emulator.stop());

const exchange = (command: Uint8Array) => emulator.exchange(command);

/** Words of the last command and of its reply. */
function lastDescribed(): string[] {
  const { words, reply } = log.commands.at(-1)!;
  return [words, reply!.status, reply!.words, reply!.outcome];
}

async function describedBy(command: string): Promise<string[]> {
  await exchange(Buffer.from(command, 'hex'));
  return lastDescribed();
}

test.each([
  [
    'e003000000',
    'Get version',
    '9000 OK',
    'protocol 1, firmware 1.0.0, signs SendZBC, ApprovalEscrow, TransferToken',
    'ok',
  ],
  ['b001000000', 'Get app and version', '9000 OK', '', 'ok'],
  ['e00500000401000000', 'Get public key: account 1', '9000 OK', accounts.cases[1]!.address, 'ok'],
  [
    'e00500000400000080',
    'Get public key: account 2147483648',
    '6A80 MALFORMED',
    'malformed bytes',
    'refused',
  ],
  [
    'e00500000100',
    'Get public key: an account of 1 bytes',
    '6700 WRONG_LENGTH',
    'wrong length for this command',
    'refused',
  ],
  ['e0aa000000', 'Unknown command aa', '6D00 INS_NOT_SUPPORTED', 'unknown command', 'refused'],
  ['8001000000', 'Unknown class 80', '6E00 CLA_NOT_SUPPORTED', 'unknown class', 'refused'],
  ['e0', 'Not a command: 1 bytes', '6700 WRONG_LENGTH', 'wrong length for this command', 'refused'],
  [
    'e00601000100',
    'Sign transaction: a chunk of 1 bytes without a header',
    '6902 BAD_STATE',
    'a chunk without a header',
    'refused',
  ],
])('describes %s as "%s", answered %s', async (command, ...wanted) => {
  expect(await describedBy(command)).toEqual(wanted);
});

test('counts the chunks of an upload and reports the transaction hash', async () => {
  const long = transactions.cases.find(({ tx }) => tx.length > 2 * 255)!;
  const length = long.tx.length / 2 + (long.linked ?? '').length / 2;
  const chunks = Math.ceil(length / 255);
  const signed = send(exchange, signTransaction(long));
  await emulator.approve();
  await signed;
  const uploaded = log.commands.slice(1);
  expect(log.commands[0]!.words).toContain(
    `Sign transaction: account ${long.account}, chain ${long.genesis.slice(0, 8)}…, ${long.tx.length / 2} bytes`,
  );
  expect(uploaded.map(({ words }) => words)).toEqual(
    uploaded.map(
      (_, index) =>
        `Sign transaction: chunk ${index + 1} of ${chunks}, ${Math.min(length, 255 * (index + 1))} of ${length} bytes`,
    ),
  );
  expect(uploaded).toHaveLength(chunks);
  expect(uploaded.at(-1)!.reply!.words).toBe(`signed, transaction hash ${long.expect.tx_hash}`);
});

test('describes linked bytes and the token details of the app', async () => {
  const linked = transactions.cases.find(({ linked }) => linked)!;
  await exchange(signTransaction(linked)[0]!);
  expect(lastDescribed()[0]).toMatch(new RegExp(`, ${linked.linked!.length / 2} linked bytes$`));
  const [header] = signTransaction({ ...transactions.cases[0]!, token: { decimals: 8, symbol: 'TKN' } });
  await exchange(header!);
  expect(lastDescribed()[0]).toMatch(/, token with 8 decimals TKN$/);
});

const stepsOf = (name: string) => contacts.cases.find(each => each.name === name)!.steps;

test('describes the registration, the check and the use of a contact', async () => {
  const [register] = stepsOf('register a ZBC account');
  const pending = exchange(Buffer.from(register!.command, 'hex'));
  await emulator.approve();
  await pending;
  expect(lastDescribed().slice(0, 3)).toEqual([
    'Register contact: Bob, chain ac49afff…',
    '9000 OK',
    `registered, proof ${register!.reply.slice(0, 64)}`,
  ]);
  const [right, , wrong] = stepsOf('check a contact: right, and wrong in each part');
  expect((await describedBy(right!.command)).slice(1, 3)).toEqual(['9000 OK', 'the proof is right']);
  expect((await describedBy(wrong!.command))[1]).toBe('6A80 MALFORMED');
  const [header] = stepsOf('token with escrow, both contacts, a token tail and a message');
  const [words] = await describedBy(header!.command);
  expect(words).toMatch(/, recipient contact \w.*, approver contact \w.*, token/);
});

test.each(['token with a token tail', 'message of one byte'])(
  'describes a commitment, the point of the nonce and REVEAL: %s',
  async name => {
    const { steps } = antiExfil.cases.find(each => each.name === name)!;
    const [header, chunk, reveal] = steps.map(({ command }) => command) as [string, string, string];
    const [words] = await describedBy(header);
    expect(words).toMatch(name.startsWith('token') ? /, token .*, with a commitment$/ : /1 bytes, with a c/);
    const pending = exchange(Buffer.from(chunk, 'hex'));
    await emulator.approve();
    await pending;
    expect(lastDescribed().slice(1, 3)).toEqual(['9000 OK', 'approved, point of the nonce']);
    const [revealed, status, signed] = await describedBy(reveal);
    expect(revealed).toMatch(/^Sign \w+: reveal/);
    expect([status, signed?.startsWith('signed')]).toEqual(['9000 OK', true]);
  },
);

test('reports where a transaction is refused and why', async () => {
  const [first] = refusals.cases.filter(({ expect }) => expect.field === 4);
  const { status } = await send(exchange, signTransaction(first!));
  const [, toldStatus, words] = lastDescribed();
  expect(toldStatus!.slice(0, 4).toUpperCase()).toBe(status);
  expect(words).toMatch(/ \(sender, byte \d+\)$/);
});

test('shows a command without a reply while the user decides, and reports when the host disconnects', async () => {
  const transport = emulator.transport();
  const pending = transport.exchange(getPublicKey(0, true));
  expect(log.commands.at(-1)).not.toHaveProperty('reply');
  transport.close();
  await expect(pending).rejects.toThrow();
  expect(lastDescribed().slice(1)).toEqual(['', 'the device was disconnected before it replied', 'failed']);
});

test('logs every screen with the positions of its texts', () => {
  emulator.press('right');
  const [first, second] = log.events;
  expect(first!.texts.map(({ text }) => text)).toEqual(['ZBC Signer', 'is ready']);
  expect(second!.texts).toEqual(emulator.screen.texts);
});

test('logs a crash', async () => {
  emulator.stop();
  await start({ module: await crashingFirmware() });
  await exchange(apdu(3));
  expect(log.events.some(({ crash }) => crash?.includes('unreachable'))).toBe(true);
});

test('keeps the last 200 commands and the last 200 events', async () => {
  const last: CommandEntry[] = [];
  log.on('command', entry => last.push(entry));
  for (let round = 0; round < 250; round++) {
    await exchange(apdu(3));
    emulator.press(round % 2 === 0 ? 'right' : 'left');
  }
  expect([log.commands.length, log.events.length]).toEqual([200, 200]);
  expect(log.commands.at(-1)!.id).toBe(250);
  expect(last).toHaveLength(500);
});

test('describes any command bytes in printable characters', () => {
  const describer = new CommandDescriber();
  const bytes = fc.uint8Array({ maxLength: 80 });
  const command = fc
    .tuple(fc.constantFrom(3, 5, 6, 7, 8), fc.constantFrom(0, 1, 2), bytes)
    .map(([ins, p1, data]) => apdu(ins, p1, data));
  fc.assert(
    fc.property(fc.oneof(bytes, command), sent => {
      expect(describer.describe(sent)).toMatch(/^[ -~…]+$/);
    }),
  );
});
