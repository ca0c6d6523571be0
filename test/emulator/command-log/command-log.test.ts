import { Emulator } from '@zbc-signer/emulator';
import fc from 'fast-check';
import { CommandDescriber } from '#emulator/command-log/command-description.js';
import { CommandLog } from '#emulator/command-log/command-log.js';
import type { CommandEntry } from '#emulator/command-log/entry.js';
import { apdu, getPublicKey, send, signTransaction } from '../../../testkit/device/apdu.js';
import { crashingFirmware } from '../../../testkit/device/crashing-firmware.js';
import { antiExfil, contacts, refusals, transactions } from '../../../testkit/repository/vectors.js';

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

test.each([
  ['e003000000', '9000 OK', 'ok'],
  ['e0aa000000', '6D00 INS_NOT_SUPPORTED', 'refused'],
  ['e0', '6700 WRONG_LENGTH', 'refused'],
])('has the status and the outcome of the reply to %s', async (command, status, outcome) => {
  await exchange(Buffer.from(command, 'hex'));
  expect(log.commands.at(-1)!.reply).toMatchObject({ status, outcome });
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

test.each([...contacts.cases.filter(({ settings }) => !settings), ...antiExfil.cases])(
  'describes the commands and replies of a case in printable characters: $name',
  async ({ steps }) => {
    for (const { command, decide } of steps) {
      const replied = exchange(Buffer.from(command, 'hex'));
      if (decide) await emulator[decide]();
      await replied;
      const { words, reply } = log.commands.at(-1)!;
      expect(words + reply!.words).toMatch(/^[ -~…]+$/);
    }
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
