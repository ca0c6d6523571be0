import { Emulator, record, replay, type Trace } from '@zbc-signer/emulator';
import { CommandLog } from '#emulator/command-log/command-log.js';
import { apdu, GET_APP_VERSION, signMessage } from '../../../testkit/device/apdu.js';
import {
  CONFIRM_ADDRESS,
  CONFIRM_ADDRESS_HEX,
  CONFIRMED_HEX,
} from '../../../testkit/device/confirmed-account.js';
import { framed, unframed } from '../../../testkit/device/reports.js';

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
