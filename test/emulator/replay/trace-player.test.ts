import { Emulator, record, type Trace } from '@zbc-signer/emulator';
import { bisectTrace, describeTrace, readFirmware, TracePlayer } from '@zbc-signer/emulator/trace';
import {
  GET_APP_VERSION,
  getPublicKey,
  send,
  signMessage,
  signTransaction,
} from '../../../testkit/device/apdu.js';
import { CONFIRM_ADDRESS, CONFIRMED_HEX } from '../../../testkit/device/confirmed-account.js';
import { payment, paymentResult } from '../../../testkit/device/payment.js';
import { firmwareWithDisplayFault } from '../../../testkit/screen/display-fault.js';

const OTHER_SEED = `hex:${'07'.repeat(64)}`;

/**
 * Records two rounds of a payment, a power cut, a rejected address, and an address whose host disconnects.
 */
async function recordSession(seed?: string): Promise<Trace> {
  const emulator = await Emulator.start({ seed });
  const recorder = record(emulator);
  for (let round = 0; round < 2; round++) {
    // The payment can be signed only with the test mnemonic.
    const signed = seed ?? send(apdu => emulator.exchange(apdu), signTransaction(payment));
    if (seed === undefined) await emulator.approve();
    await signed;
    emulator.restart();
    const confirmed = emulator.exchange(CONFIRM_ADDRESS);
    await emulator.reject();
    await confirmed;
    const dropped = expect(emulator.exchange(CONFIRM_ADDRESS)).rejects.toThrow('disconnected');
    emulator.cancel();
    await dropped;
  }
  emulator.stop();
  return recorder.trace;
}

let trace: Trace;
let player: TracePlayer;

beforeAll(async () => {
  trace = await recordSession();
  player = await TracePlayer.open(trace);
});
afterAll(() => player.close());

const stepOf = (text: string) => trace.steps.findIndex(({ screen }) => screen.texts[0] === text) + 1;

test('every step can be restored in any order, with the recorded screen', async () => {
  const count = trace.steps.length;
  // 7 has no divisor in common with the number of steps.
  expect(count % 7).not.toBe(0);
  for (let step = 0, tried = 0; tried <= count; step = (step + 7) % (count + 1), tried++) {
    const device = await player.fork(step);
    const expected = step === 0 ? trace.start : trace.steps[step - 1]!.screen;
    expect(device.texts()).toEqual(expected.texts);
    expect(Buffer.from(device.frame()).toString('base64')).toBe(trace.frames[expected.frame]);
    device.stop();
  }
});

test('a restored review continues: its approval signs the same transaction', async () => {
  const device = await player.fork(stepOf('Fee'));
  const decisions: string[] = [];
  device.on('decision', reply => decisions.push(Buffer.from(reply).toString('hex')));
  expect(device.reviewing).toBe(true);
  expect(Buffer.from(await device.exchange(GET_APP_VERSION)).toString('hex')).toBe('6901');
  await device.approve();
  expect(decisions).toEqual([`${paymentResult}9000`]);
  expect(device.reviewing).toBe(false);
  const confirmed = device.exchange(CONFIRM_ADDRESS);
  await device.approve();
  expect(Buffer.from(await confirmed).toString('hex')).toBe(CONFIRMED_HEX);
  device.stop();
});

test('devices of one step are independent of each other and of the trace', async () => {
  const [one, other] = [await player.fork(stepOf('Amount')), await player.fork(stepOf('Amount'))];
  await one.reject();
  expect(other.texts()[0]).toBe('Amount');
  one.stop();
  await other.approve();
  other.stop();
  const again = await player.fork(stepOf('Amount'));
  expect(again.reviewing).toBe(true);
  await again.stop();
});

test.each([-1, 1.5, 1e6])('step %p is rejected', async step => {
  await expect(player.fork(step)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('a replay ends when its signal is aborted', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(bisectTrace(trace, 'recorded', { signal })).rejects.toThrow('enough');
});

test('a firmware or seed other than the recorded one is reported, and no device is started with it', async () => {
  const firmware = firmwareWithDisplayFault('F');
  const other = await TracePlayer.open(trace, { firmware });
  await expect(other.fork(trace.steps.length)).rejects.toMatchObject({ step: stepOf('Fee') });
  other.close();
  const session = await recordSession(OTHER_SEED);
  await expect(TracePlayer.open(session)).rejects.toMatchObject({ code: 'TRACE_SEED' });
  const given = await TracePlayer.open(session, { seed: OTHER_SEED });
  (await given.fork(session.steps.length)).stop();
  given.close();
});

test('each step is described in words: its input, its reply, and the command that the reply answers', () => {
  const steps = describeTrace(trace);
  expect(steps[0]).toMatchObject({ step: 0, kind: 'start', texts: ['ZBC Signer', 'is ready'] });
  expect(steps[1]).toMatchObject({
    kind: 'command',
    words: expect.stringMatching(/^Sign transaction: account 0/),
  });
  const signed = steps.find(({ reply }) => reply?.words.startsWith('signed, transaction hash'));
  expect(signed).toMatchObject({
    kind: 'press',
    words: 'press both buttons',
    answers: 2,
    reply: { status: '9000 OK' },
  });
  expect(steps[signed!.step + 1]).toMatchObject({ kind: 'restart', words: 'power off and on' });
  expect(steps.find(({ reply }) => reply?.outcome === 'rejected')).toMatchObject({
    answers: signed!.step + 2,
  });
  expect(steps.at(-1)).toMatchObject({ kind: 'cancel' });
  expect(steps.map(({ frame }) => frame.length)).toEqual(steps.map(() => 1024));
});

describe('bisection', () => {
  test('finds no difference with the recorded firmware', async () => {
    expect(await bisectTrace(trace)).toBeUndefined();
    expect(await bisectTrace(trace, { title: 'Amount', value: '1 ZBC' })).toBeUndefined();
  });

  test('finds one wrong pixel of one letter at the first step that shows that letter', async () => {
    const fault = await bisectTrace(trace, 'recorded', { firmware: firmwareWithDisplayFault('F') });
    expect(fault).toMatchObject({ step: stepOf('Fee') });
    expect(fault!.actual.texts).toEqual(fault!.expected.texts);
    const different = fault!.actual.frame.filter((byte, at) => byte !== fault!.expected.frame[at]);
    expect(different).toHaveLength(1);
  });

  test('finds nothing when no screen of the session has the letter', async () => {
    expect(trace.steps.some(({ screen }) => screen.texts[0]!.includes('X'))).toBe(false);
    expect(await bisectTrace(trace, 'recorded', { firmware: firmwareWithDisplayFault('X') })).toBeUndefined();
  });

  test('finds the first screen that does not show the value', async () => {
    expect(await bisectTrace(trace, { title: 'Amount', value: '2 ZBC' })).toMatchObject({
      step: stepOf('Amount'),
    });
    expect(await bisectTrace(trace, { title: 'Message', value: 'hello' })).toMatchObject({
      step: stepOf('Message'),
    });
  });

  test('finds an item that the firmware no longer shows, and rejects an item that the session never showed', async () => {
    const firmware = Buffer.from(await readFirmware());
    const at = firmware.indexOf(Buffer.from('Amount', 'utf16le'));
    firmware.write('Ammunt', at, 'utf16le');
    const amount = { title: 'Amount', value: '1 ZBC' };
    const fault = await bisectTrace(trace, amount, { firmware });
    expect(fault).toMatchObject({ step: stepOf('Amount'), actual: { texts: ['Ammunt', '1 ZBC'] } });
    await expect(bisectTrace(trace, { ...amount, title: 'Amuont' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('no screen of the session has an item with that title'),
    });
  });

  test('compares each page of a value with the corresponding part of the value', async () => {
    const emulator = await Emulator.start();
    const recorder = record(emulator);
    // The second half of the text repeats the first.
    const text = 'Pay nothing to nobody, ever. '.repeat(8);
    const signed = send(apdu => emulator.exchange(apdu), signMessage(0, Buffer.from(text)));
    await emulator.approve();
    await signed;
    emulator.stop();
    const value = text.trimEnd();
    const bisect = (expected: string) => bisectTrace(recorder.trace, { title: 'Message', value: expected });
    const pages = recorder.trace.steps.filter(({ screen }) => /^Message/.test(screen.texts[0]!));
    expect(pages.length).toBeGreaterThan(2);
    expect(await bisect(text)).toBeUndefined();
    expect(await bisect(`${value} And all the rest.`)).toBeDefined();
    expect(await bisect(`Not so: ${text}`)).toBeDefined();
    expect(await bisect(text.replace(/^(.{120})/, '$1 And all the rest. $1'))).toBeDefined();
  });

  test('finds a reply that differs', async () => {
    const emulator = await Emulator.start();
    const recorder = record(emulator);
    await emulator.exchange(GET_APP_VERSION);
    await emulator.exchange(getPublicKey(0));
    emulator.stop();
    const fault = await bisectTrace(recorder.trace, 'recorded', { seed: OTHER_SEED });
    expect(fault).toMatchObject({
      step: 2,
      expectedReply: Reflect.get(recorder.trace.steps[1]!, 'reply'),
    });
    expect(fault!.actualReply).not.toBe(fault!.expectedReply);
  });
});
