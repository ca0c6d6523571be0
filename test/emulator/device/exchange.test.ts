import { Emulator, record, replay, type Trace } from '@zbc-signer/emulator';
import { Signer } from '@zbc-signer/host';
import { ReportTransport } from '@zbc-signer/host/reports';
import { CommandLog } from '#emulator/command-log/command-log.js';
import { renderTest } from '#emulator/trace/as-test.js';
import { apdu, GET_APP_VERSION, signMessage } from '../../../testkit/device/apdu.js';
import {
  CONFIRM_ADDRESS,
  CONFIRM_ADDRESS_HEX,
  CONFIRMED_HEX,
} from '../../../testkit/device/confirmed-account.js';
import { framed, unframed } from '../../../testkit/device/reports.js';
import { antiExfil, type CommandStep, contacts, transactions } from '../../../testkit/repository/vectors.js';

const CHANNEL = 0x4711;
const CANCEL = Buffer.concat([Buffer.from('471106', 'hex')], 64);
let emulator: Emulator;
let log: CommandLog;

beforeEach(async () => {
  emulator = await Emulator.start();
  log = new CommandLog(emulator);
});
afterEach(() => emulator.stop());

/** Sends a command in reports; returns a list that receives the reply's reports. */
function send(command: Uint8Array, channel = CHANNEL): Uint8Array[] {
  const replies: Uint8Array[] = [];
  for (const report of framed(channel, command)) emulator.report(report, reply => replies.push(reply));
  return replies;
}

const settle = () => new Promise(resolve => setImmediate(resolve));

/**
 * Records a session: a version request, a review during which another program sends a command, a cancelled
 * review, and an upload in many reports.
 */
async function recordSession(): Promise<Trace> {
  const recorder = record(emulator);
  send(GET_APP_VERSION);
  const confirmed = send(CONFIRM_ADDRESS);
  send(GET_APP_VERSION, 0x1234);
  await emulator.approve();
  expect(unframed(CHANNEL, confirmed)?.toString('hex')).toBe(CONFIRMED_HEX);
  send(CONFIRM_ADDRESS);
  emulator.report(CANCEL, () => undefined);
  for (const command of signMessage(0, Buffer.alloc(300, 'a'))) send(command);
  await emulator.reject();
  return recorder.stop();
}

test('commands that arrive in reports are recorded, and the trace can be replayed', async () => {
  const trace = await recordSession();
  const { steps } = trace;
  expect(steps[0]).toMatchObject({ apdu: 'e003000000', reply: expect.stringMatching(/9000$/) });
  expect(steps[1]).toMatchObject({ apdu: CONFIRM_ADDRESS_HEX, reply: null });
  expect(steps[2]).toMatchObject({ apdu: 'e003000000', reply: '6901' });
  expect(steps.filter(step => 'cancel' in step)).toHaveLength(1);
  const long = apdu(0x07, 1, Buffer.alloc(255, 'a')).length * 2;
  expect(steps.filter(step => 'apdu' in step && step.apdu.length === long)).toHaveLength(1);
  await replay(trace);
});

/** A program on a link. Other programs can send reports between any two of its reports. */
function program(link: number): Signer {
  return new Signer(
    new ReportTransport(async () => {
      let hear: (report: Uint8Array) => void = () => undefined;
      return {
        async write(reports) {
          for (const report of reports) {
            await settle();
            emulator.report(report, reply => setImmediate(() => hear(reply)), link);
          }
        },
        listen: onReport => {
          hear = onReport;
        },
        close: async () => undefined,
      };
    }),
  );
}

describe.each([
  ['one link', () => [program(0), program(0)]],
  ['two links', () => [program(0), program(1)]],
  [
    'two transports in this process',
    () => [new Signer(emulator.transport()), new Signer(emulator.transport())],
  ],
])('on %s', (_, openPrograms) => {
  const cases = transactions.cases.filter(({ linked }) => linked === undefined);
  const sign = (signer: Signer, { account, genesis, tx, token }: (typeof cases)[number]) =>
    signer.signTransaction({
      account,
      genesisHash: Buffer.from(genesis, 'hex'),
      transaction: Buffer.from(tx, 'hex'),
      token: token && { decimals: token.decimals ?? undefined, symbol: token.symbol },
    });

  test('a program that asks for versions and keys does not disturb another that signs', async () => {
    const [signer, other] = openPrograms() as [Signer, Signer];
    for (const request of cases) {
      let isSigned = false;
      const asking = (async () => {
        while (!isSigned) {
          await other.getVersion().catch(error => expect(error.code).toBe('BUSY'));
          await other.getPublicKey(7).catch(error => expect(error.code).toBe('BUSY'));
        }
      })();
      const signing = sign(signer, request).finally(() => {
        isSigned = true;
      });
      const approving = emulator.approve();
      const { transactionHash } = await signing;
      expect(Buffer.from(transactionHash).toString('hex')).toBe(request.expect.tx_hash);
      await Promise.all([asking, approving]);
    }
  });

  test('two programs that sign at the same time get their own signatures or an error', async () => {
    const programs = openPrograms();
    let signed = 0;
    emulator.on('command', reply => {
      if (reply === undefined) void emulator.approve();
    });
    for (const [i, request] of cases.entries()) {
      const requests = [request, cases[(i + 1) % cases.length]!];
      const outcomes = await Promise.allSettled(requests.map((each, n) => sign(programs[n]!, each)));
      for (const [n, outcome] of outcomes.entries()) {
        if (outcome.status === 'rejected') expect(['BUSY', 'BAD_STATE']).toContain(outcome.reason.code);
        else {
          const { signature } = outcome.value;
          expect(Buffer.from(signature).toString('hex')).toBe(requests[n]!.expect.signature);
          signed += 1;
        }
      }
    }
    expect(signed).toBeGreaterThan(0);
  });
});

test('a trace with the commands of another program during an upload can be replayed', async () => {
  const recorder = record(emulator);
  const [header, ...chunks] = signMessage(0, Buffer.alloc(300, 'a'));
  send(header!);
  for (const command of [GET_APP_VERSION, chunks[0]!]) send(command, 0x1234);
  for (const chunk of chunks) send(chunk);
  await emulator.approve();
  const trace = recorder.stop();
  expect(trace.steps.filter(step => 'apdu' in step && step.elsewhere)).toHaveLength(2);
  await replay(trace);
  expect(renderTest(trace, 'jest', 'a').match(/emulator.exchange/g)).toHaveLength(3);
});

test.each([
  ['a registration of a contact', 'register a ZBC account'],
  ['a header with contacts', 'send with escrow, both contacts'],
])('%s takes over the upload of another program', async (_, name) => {
  const recorder = record(emulator);
  const [header, chunk] = signMessage(0, Buffer.alloc(300, 'a')) as [Uint8Array, Uint8Array];
  const [{ command, review }] = contacts.cases.find(each => each.name === name)!.steps as [CommandStep];
  send(header);
  send(Buffer.from(command, 'hex'), 0x1234);
  if (review) await emulator.reject();
  send(chunk);
  const commands = recorder.stop().steps.filter(step => 'apdu' in step);
  expect(commands[1]).not.toHaveProperty('elsewhere');
  expect(commands[2]).toMatchObject({ reply: '6902' });
});

const stepsOf = (name: string) =>
  antiExfil.cases
    .find(each => each.name === name)!
    .steps.map(({ command, reply }) => ({ command: Buffer.from(command, 'hex'), reply }));

/** Sends the commands up to the approval on the channel of this test, and approves. Returns REVEAL and its reply. */
async function approveCommitted(name: string) {
  const steps = stepsOf(name);
  for (const { command } of steps.slice(0, -1)) send(command);
  await emulator.approve();
  return steps.at(-1)!;
}

const replyTo = (command: Uint8Array, channel = CHANNEL) =>
  unframed(channel, send(command, channel))?.toString('hex');

test('an approval waits for REVEAL of its own program, in a trace too', async () => {
  const recorder = record(emulator);
  const { command, reply } = await approveCommitted('send');
  expect(replyTo(command, 0x1234)).toBe('6902');
  expect(replyTo(GET_APP_VERSION, 0x1234)).toMatch(/9000$/);
  expect(replyTo(command)).toBe(reply);
  expect(replyTo(command)).toBe('6902');
  const trace = recorder.stop();
  expect(trace.steps.filter(step => 'apdu' in step && step.elsewhere)).toHaveLength(2);
  await replay(trace);
});

test('a host that leaves ends the wait for REVEAL', async () => {
  const { command } = await approveCommitted('message');
  emulator.report(CANCEL, () => undefined);
  expect(replyTo(command)).toBe('6902');
  const { command: next } = await approveCommitted('send');
  emulator.disconnectReports();
  expect(replyTo(next)).toBe('6902');
});

test.each(['send', 'message'])('the header of "%s" with a commitment takes over', async name => {
  const { command, reply } = await approveCommitted('message');
  const recorder = record(emulator);
  expect(replyTo(stepsOf(name)[0]!.command, 0x1234)).toBe('9000');
  expect(replyTo(command)).not.toBe(reply);
  expect(recorder.stop().steps[0]).not.toHaveProperty('elsewhere');
});

test('a host that leaves ends only its own upload or review, on each transport', async () => {
  const [mine, other] = [emulator.transport(), emulator.transport()];
  const [header, ...chunks] = signMessage(0, Buffer.alloc(300, 'a')) as [Uint8Array, ...Uint8Array[]];
  const status = async (reply: Promise<Uint8Array>) => Buffer.from(await reply).toString('hex');
  expect(await status(mine.exchange(header))).toBe('9000');
  expect(await status(other.exchange(chunks[0]!))).toBe('6902');
  emulator.disconnectReports();
  other.close();
  expect(await status(mine.exchange(chunks[0]!))).toBe('9000');
  const signed = mine.exchange(chunks[1]!);
  emulator.disconnectReports();
  await emulator.approve();
  expect((await signed).length).toBe(64 + 2);
  await mine.exchange(header);
  mine.close();
  await expect(mine.exchange(chunks[0]!)).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
  expect(await status(emulator.transport().exchange(chunks[0]!))).toBe('6902');
});

test('a cancellation over another endpoint does not end the review on the same channel', async () => {
  const confirmed = send(CONFIRM_ADDRESS);
  emulator.report(CANCEL, () => undefined, 1);
  await emulator.approve();
  expect(unframed(CHANNEL, confirmed)?.toString('hex')).toBe(CONFIRMED_HEX);
});

test('a trace contains an upload that its host left unfinished', async () => {
  const recorder = record(emulator);
  const [header, first] = signMessage(0, Buffer.alloc(300, 'a')) as [Uint8Array, Uint8Array];
  send(header);
  emulator.report(CANCEL, () => undefined);
  send(first);
  send(header);
  emulator.disconnectReports();
  send(first);
  const trace = recorder.stop();
  expect(trace.steps.map(step => ('apdu' in step ? step.reply : 'cancel'))).toEqual(
    ['9000', 'cancel', '6902', '9000', 'cancel', '6902'].map(reply => expect.stringMatching(`${reply}$`)),
  );
  await replay(trace);
});

test('commands that arrive in reports are logged with their replies', async () => {
  await recordSession();
  await settle();
  expect(log.commands.map(({ reply }) => reply?.status.slice(0, 4))).toEqual([
    ...['9000', '9000', '6901'],
    '',
    ...['9000', '9000', '6985'],
  ]);
  expect(log.commands[0]).toMatchObject({ words: 'Get version', hex: 'e003000000' });
  expect(log.commands[3]!.reply).toMatchObject({ outcome: 'failed' });
});
