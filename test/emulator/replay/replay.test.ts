import { TEST_MNEMONIC } from '@zbc-signer/chain';
import {
  Emulator,
  formatTrace,
  parseSeed,
  parseTrace,
  ReplayMismatchError,
  record,
  replay,
  type Trace,
} from '@zbc-signer/emulator';
import { checkTrace } from '#emulator/trace/trace.js';
import { apdu, GET_APP_VERSION, getPublicKey, send, signTransaction } from '../../../testkit/device/apdu.js';
import {
  CONFIRM_ADDRESS,
  CONFIRM_ADDRESS_HEX,
  CONFIRMED_HEX,
} from '../../../testkit/device/confirmed-account.js';
import { crashingFirmware } from '../../../testkit/device/crashing-firmware.js';
import { payment, paymentResult } from '../../../testkit/device/payment.js';

let emulator: Emulator;

beforeEach(async () => {
  emulator = await Emulator.start();
});

afterEach(() => emulator.stop());

/**
 * Records a session: a version request, a confirmed address (another command gets BUSY meanwhile), a dropped
 * review, a changed setting and a transfer.
 */
async function recordSession(): Promise<Trace> {
  const recorder = record(emulator);
  await emulator.exchange(GET_APP_VERSION);
  const confirmed = emulator.exchange(CONFIRM_ADDRESS);
  await emulator.exchange(GET_APP_VERSION);
  await emulator.approve();
  await confirmed;
  const host = new AbortController();
  const dropped = emulator.exchange(CONFIRM_ADDRESS, host.signal);
  host.abort(new Error('gone'));
  await expect(dropped).rejects.toThrow('gone');
  const signed = send(apdu => emulator.exchange(apdu), signTransaction(payment));
  await emulator.approve();
  await signed;
  return recorder.stop();
}

const differenceOf = (trace: Trace | string, seed?: string | null): Promise<unknown> =>
  replay(trace, { seed }).then(
    () => 'none',
    (error: unknown) => error,
  );

test('a trace contains what went over the wire, and what was shown', async () => {
  const { steps, start, settings } = await recordSession();
  expect(settings).toBeNull();
  expect(start.texts).toEqual(['ZBC Signer', 'is ready']);
  expect(steps[1]).toMatchObject({ apdu: CONFIRM_ADDRESS_HEX, reply: null });
  expect(steps[2]).toMatchObject({ apdu: 'e003000000', reply: '6901' });
  expect(steps[2]!.screen).toEqual(steps[1]!.screen);
  const decided = steps.find(step => 'button' in step && step.button === 'both');
  expect(decided).toMatchObject({ reply: CONFIRMED_HEX, screen: start });
  expect(steps.filter(step => 'cancel' in step)).toEqual([
    { cancel: true, screen: start, atMs: expect.any(Number), tookMs: expect.any(Number) },
  ]);
  expect(steps.at(-1)).toMatchObject({ button: 'both', reply: `${paymentResult}9000`, screen: start });
});

test('a trace can be replayed as an object and as text, and is the same in every run', async () => {
  const trace = await recordSession();
  const text = formatTrace(trace);
  expect(parseTrace(text)).toEqual(trace);
  expect(text.match(/^\{"(?:apdu|button|cancel)/gm)).toHaveLength(trace.steps.length);
  await replay(trace);
  await replay(text);
  emulator.stop();
  emulator = await Emulator.start();
  const timeless = ({ steps, ...rest }: Trace) => ({
    ...rest,
    steps: steps.map(({ atMs: _, tookMs: _took, ...step }) => step),
  });
  expect(timeless(await recordSession())).toEqual(timeless(trace));
});

test('a step has the time at which it arrived, and the time that the device needed for it', async () => {
  const before = performance.now();
  const { steps } = await recordSession();
  const elapsed = performance.now() - before;
  expect(steps.map(({ atMs }) => atMs)).toEqual(steps.map(({ atMs }) => atMs).sort((a, b) => a - b));
  expect(steps.every(({ tookMs }) => tookMs > 0)).toBe(true);
  expect(steps.at(-1)!.atMs + steps.at(-1)!.tookMs).toBeLessThan(elapsed + 1);
});

test('a trace has the pixels of every screen in it', async () => {
  const { start, steps, frames } = await recordSession();
  const shown = new Set([start, ...steps.map(({ screen }) => screen)].map(({ frame }) => frame));
  expect(Object.keys(frames).sort()).toEqual([...shown].sort());
  expect(Buffer.from(frames[start.frame]!, 'base64').equals(emulator.frame())).toBe(true);
});

test('a power cut is recorded and replayed, even during a review', async () => {
  const recorder = record(emulator);
  const cut = expect(emulator.exchange(CONFIRM_ADDRESS)).rejects.toThrow('disconnected');
  emulator.restart();
  await cut;
  await emulator.exchange(GET_APP_VERSION);
  const trace = recorder.stop();
  expect(trace.steps[1]).toMatchObject({ restart: true, screen: trace.start });
  await replay(trace);
});

test('a trace contains no part of the seed', async () => {
  const trace = await recordSession();
  expect(Object.keys(trace).sort()).toEqual([
    'format',
    'frames',
    'seed',
    'settings',
    'start',
    'steps',
    'version',
  ]);
  const text = formatTrace(trace);
  expect(text).not.toContain('abandon');
  expect(text).not.toContain(Buffer.from(parseSeed(TEST_MNEMONIC)).toString('hex'));
});

test('a trace contains no events after its end, or after the device stopped', async () => {
  const [ended, lasting] = [record(emulator), record(emulator)];
  const { steps } = ended.stop();
  await emulator.exchange(GET_APP_VERSION);
  emulator.stop();
  expect(steps).toEqual([]);
  expect(lasting.stop().steps).toHaveLength(1);
});

test('a setting that was stored before the trace is set in the replay', async () => {
  for (const button of ['right', 'both', 'both'] as const) emulator.press(button);
  const restarted = await Emulator.start({ settings: emulator.settings });
  const recorder = record(restarted);
  await send(apdu => restarted.exchange(apdu), signTransaction(payment));
  restarted.stop();
  const trace = recorder.stop();
  expect(trace.settings).toMatch(/^[0-9a-f]{32}$/);
  expect(trace.steps.at(-1)).toMatchObject({ reply: expect.stringMatching(/6985$/) });
  await replay(trace);
  expect(await differenceOf({ ...trace, settings: null })).toBeInstanceOf(ReplayMismatchError);
});

test('a press by a listener while a command is answered is recorded like a press by the user', async () => {
  const recorder = record(emulator);
  emulator.on('screen', ({ texts }) => {
    if (texts[0]?.text === 'Approve') emulator.press('both');
    else if (texts[0]?.text.startsWith('Address')) emulator.press('right');
  });
  await emulator.exchange(CONFIRM_ADDRESS);
  const trace = recorder.stop();
  expect(trace.steps[0]).toMatchObject({ apdu: CONFIRM_ADDRESS_HEX, reply: null });
  expect(trace.steps.at(-1)).toMatchObject({ button: 'both', reply: CONFIRMED_HEX });
  await replay(trace);
});

test('a trace cannot begin during a review', async () => {
  const reply = emulator.exchange(CONFIRM_ADDRESS);
  expect(() => record(emulator)).toThrow(expect.objectContaining({ code: 'RECORD_DURING_REVIEW' }));
  await emulator.reject();
  await reply;
});

describe('the first difference is reported', () => {
  test('for a reply of a device with another seed', async () => {
    const recorder = record(emulator);
    await emulator.exchange(GET_APP_VERSION);
    await emulator.exchange(getPublicKey(0));
    const trace = recorder.stop();
    const difference = await differenceOf(trace, `hex:${'07'.repeat(64)}`);
    expect(difference).toMatchObject({ code: 'REPLAY_MISMATCH', step: 2, expected: trace.steps[1] });
    expect(await differenceOf(trace, null)).toMatchObject({ step: 0 });
  });

  test('but not if the trace lacks the seed, which the caller must then give', async () => {
    const seed = `hex:${'07'.repeat(64)}`;
    const other = await Emulator.start({ seed });
    const recorder = record(other);
    await other.exchange(getPublicKey(0));
    other.stop();
    expect(recorder.trace.seed).toBe('other');
    expect(await differenceOf(recorder.trace)).toMatchObject({ code: 'TRACE_SEED' });
    expect(await differenceOf(recorder.trace, seed)).toBe('none');
  });

  test('but not for a locked device, which is replayed without a seed', async () => {
    const locked = await Emulator.start({ seed: null });
    const recorder = record(locked);
    await locked.exchange(getPublicKey(0));
    locked.stop();
    expect(recorder.trace.seed).toBe('none');
    expect(await differenceOf(recorder.trace)).toBe('none');
  });

  test.each([
    ['the texts of a screen', 3, (trace: Trace) => trace.steps[2]!.screen.texts.push('more')],
    ['a frame', 4, (trace: Trace) => (trace.steps[3]!.screen.frame = trace.start.frame)],
    ['the first screen', 0, (trace: Trace) => trace.start.texts.pop()],
    ['a missing press', 4, (trace: Trace) => trace.steps.splice(3, 1)],
  ])('for %s', async (_, step, edit) => {
    const trace = parseTrace(formatTrace(await recordSession()));
    edit(trace);
    const difference = await differenceOf(trace);
    expect(difference).toBeInstanceOf(ReplayMismatchError);
    expect(difference).toMatchObject({ step });
  });

  test('for another firmware', async () => {
    const trace = await recordSession();
    const module = await crashingFirmware();
    await expect(replay(trace, { module })).rejects.toMatchObject({ step: 0, expected: trace.start });
  });
});

test('a crash is recorded as a reply of 6F00, and replayed', async () => {
  const module = await crashingFirmware();
  const crashing = await Emulator.start({ module });
  const recorder = record(crashing);
  const reply = crashing.exchange(apdu(2));
  expect(() => crashing.press('left')).toThrow('the firmware crashed');
  await reply;
  crashing.stop();
  const trace = recorder.stop();
  expect(trace.steps[1]).toMatchObject({ button: 'left', reply: '6f00' });
  await replay(trace, { module });
});

test('a trace with an unfinished last line is read up to that line', async () => {
  const trace = await recordSession();
  const text = formatTrace(trace);
  expect(parseTrace(text.slice(0, -5)).steps).toEqual(trace.steps.slice(0, -1));
});

const PRESS = { button: 'left', atMs: 1, tookMs: 1, screen: 'start' };

test.each([
  ['', {}],
  ['', { steps: [PRESS] }],
  ['', { steps: [{ ...PRESS, button: undefined, apdu: 'e0', reply: null }] }],
  ['"seed"', { seed: 'abandon' }],
  ['"settings"', { settings: 'zz' }],
  ['"start"', { start: {} }],
  ['"start"', { frames: {} }],
  ['a frame is not', { frames: { ['00'.repeat(32)]: 'AAAA' } }],
  ['another SHA-256', { frames: { ['00'.repeat(32)]: Buffer.alloc(1024).toString('base64') } }],
  ['"steps"', { steps: {} }],
  ['step 1 ', { steps: [{ ...PRESS, button: 'toString' }] }],
  ['step 1 ', { steps: [{ ...PRESS, apdu: 'e0', reply: null }] }],
  ['step 1 ', { steps: [{ ...PRESS, button: undefined, apdu: 'E0', reply: null }] }],
  ['step 1 ', { steps: [{ ...PRESS, button: undefined, apdu: 'e0', reply: '90' }] }],
  ['step 1 ', { steps: [{ ...PRESS, screen: undefined }] }],
  ['step 1 ', { steps: [{ ...PRESS, screen: { texts: ['a'.repeat(1025)], frame: '' } }] }],
  ['step 1 ', { steps: [{ ...PRESS, screen: { texts: [], frame: '00'.repeat(32) } }] }],
  ['step 1 ', { steps: [{ ...PRESS, atMs: -1 }] }],
  ['step 1 ', { steps: [{ ...PRESS, tookMs: '1' }] }],
  ['step 2 is earlier', { steps: [PRESS, { ...PRESS, atMs: 0.5 }] }],
])('a document is rejected with "%s", or accepted if that is empty: %j', (complaint, changes) => {
  const { start, ...rest } = record(emulator).stop();
  const document = JSON.parse(JSON.stringify({ ...rest, start, ...changes }), (_, value) =>
    value === 'start' ? start : value,
  );
  const check = () => formatTrace(checkTrace(document));
  if (complaint === '') expect(parseTrace(check())).toEqual(document);
  else expect(check).toThrow(complaint);
});
