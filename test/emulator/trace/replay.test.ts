import { TEST_MNEMONIC } from '@zbc-signer/chain';
import {
  Emulator,
  formatRecording,
  parseRecording,
  parseSeed,
  RecordDuringReviewError,
  type Recording,
  ReplayMismatchError,
  record,
  replay,
} from '@zbc-signer/emulator';
import { checkRecording } from '#emulator/recording/recording.js';
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
async function recordSession(): Promise<Recording> {
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

const differenceOf = (recording: Recording | string, seed?: string | null): Promise<unknown> =>
  replay(recording, { seed }).then(
    () => 'none',
    (error: unknown) => error,
  );

test('a recording contains what went over the wire, and what was shown', async () => {
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

test('a recording can be replayed as an object and as text, and is the same in every run', async () => {
  const recording = await recordSession();
  const text = formatRecording(recording);
  expect(parseRecording(text)).toEqual(recording);
  expect(text.match(/^\{"(?:apdu|button|cancel)/gm)).toHaveLength(recording.steps.length);
  await replay(recording);
  await replay(text);
  emulator.stop();
  emulator = await Emulator.start();
  const timeless = ({ steps, ...rest }: Recording) => ({
    ...rest,
    steps: steps.map(({ atMs: _, tookMs: _took, ...step }) => step),
  });
  expect(timeless(await recordSession())).toEqual(timeless(recording));
});

test('a step has the time at which it arrived, and the time that the device needed for it', async () => {
  const before = performance.now();
  const { steps } = await recordSession();
  const elapsed = performance.now() - before;
  expect(steps.map(({ atMs }) => atMs)).toEqual(steps.map(({ atMs }) => atMs).sort((a, b) => a - b));
  expect(steps.every(({ tookMs }) => tookMs > 0)).toBe(true);
  expect(steps.at(-1)!.atMs + steps.at(-1)!.tookMs).toBeLessThan(elapsed + 1);
});

test('a recording has the pixels of every screen in it', async () => {
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
  const recording = recorder.stop();
  expect(recording.steps[1]).toMatchObject({ restart: true, screen: recording.start });
  await replay(recording);
});

test('a recording contains no part of the seed', async () => {
  const recording = await recordSession();
  expect(Object.keys(recording).sort()).toEqual([
    'format',
    'frames',
    'seed',
    'settings',
    'start',
    'steps',
    'version',
  ]);
  const text = formatRecording(recording);
  expect(text).not.toContain('abandon');
  expect(text).not.toContain(Buffer.from(parseSeed(TEST_MNEMONIC)).toString('hex'));
});

test('a recording contains no events after its end, or after the device stopped', async () => {
  const [ended, lasting] = [record(emulator), record(emulator)];
  const { steps } = ended.stop();
  await emulator.exchange(GET_APP_VERSION);
  emulator.stop();
  expect(steps).toEqual([]);
  expect(lasting.stop().steps).toHaveLength(1);
});

test('a setting that was stored before the recording is set in the replay', async () => {
  for (const button of ['right', 'both', 'both'] as const) emulator.press(button);
  const restarted = await Emulator.start({ settings: emulator.settings });
  const recorder = record(restarted);
  await send(apdu => restarted.exchange(apdu), signTransaction(payment));
  restarted.stop();
  const recording = recorder.stop();
  expect(recording.settings).toMatch(/^[0-9a-f]{32}$/);
  expect(recording.steps.at(-1)).toMatchObject({ reply: expect.stringMatching(/6985$/) });
  await replay(recording);
  expect(await differenceOf({ ...recording, settings: null })).toBeInstanceOf(ReplayMismatchError);
});

test('a press by a listener while a command is answered is recorded like a press by the user', async () => {
  const recorder = record(emulator);
  emulator.on('screen', ({ texts }) => {
    if (texts[0]?.text === 'Approve') emulator.press('both');
    else if (texts[0]?.text.startsWith('Address')) emulator.press('right');
  });
  await emulator.exchange(CONFIRM_ADDRESS);
  const recording = recorder.stop();
  expect(recording.steps[0]).toMatchObject({ apdu: CONFIRM_ADDRESS_HEX, reply: null });
  expect(recording.steps.at(-1)).toMatchObject({ button: 'both', reply: CONFIRMED_HEX });
  await replay(recording);
});

test('a recording cannot begin during a review', async () => {
  const reply = emulator.exchange(CONFIRM_ADDRESS);
  expect(() => record(emulator)).toThrow(RecordDuringReviewError);
  await emulator.reject();
  await reply;
});

describe('the first difference is reported', () => {
  test('for a reply of a device with another seed', async () => {
    const recorder = record(emulator);
    await emulator.exchange(GET_APP_VERSION);
    await emulator.exchange(getPublicKey(0));
    const recording = recorder.stop();
    const difference = await differenceOf(recording, `hex:${'07'.repeat(64)}`);
    expect(difference).toMatchObject({ code: 'REPLAY_MISMATCH', step: 2, expected: recording.steps[1] });
    expect(await differenceOf(recording, null)).toMatchObject({ step: 0 });
  });

  test('but not if the recording lacks the seed, which the caller must then give', async () => {
    const seed = `hex:${'07'.repeat(64)}`;
    const other = await Emulator.start({ seed });
    const recorder = record(other);
    await other.exchange(getPublicKey(0));
    other.stop();
    expect(recorder.recording.seed).toBe('other');
    expect(await differenceOf(recorder.recording)).toMatchObject({ code: 'TRACE_SEED' });
    expect(await differenceOf(recorder.recording, seed)).toBe('none');
  });

  test('but not for a locked device, which is replayed without a seed', async () => {
    const locked = await Emulator.start({ seed: null });
    const recorder = record(locked);
    await locked.exchange(getPublicKey(0));
    locked.stop();
    expect(recorder.recording.seed).toBe('none');
    expect(await differenceOf(recorder.recording)).toBe('none');
  });

  test.each([
    ['the texts of a screen', 3, (recording: Recording) => recording.steps[2]!.screen.texts.push('more')],
    ['a frame', 4, (recording: Recording) => (recording.steps[3]!.screen.frame = recording.start.frame)],
    ['the first screen', 0, (recording: Recording) => recording.start.texts.pop()],
    ['a missing press', 4, (recording: Recording) => recording.steps.splice(3, 1)],
  ])('for %s', async (_, step, edit) => {
    const recording = parseRecording(formatRecording(await recordSession()));
    edit(recording);
    const difference = await differenceOf(recording);
    expect(difference).toBeInstanceOf(ReplayMismatchError);
    expect(difference).toMatchObject({ step });
  });

  test('for another firmware', async () => {
    const recording = await recordSession();
    const module = await crashingFirmware();
    await expect(replay(recording, { module })).rejects.toMatchObject({ step: 0, expected: recording.start });
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
  const recording = recorder.stop();
  expect(recording.steps[1]).toMatchObject({ button: 'left', reply: '6f00' });
  await replay(recording, { module });
});

test('a recording with an unfinished last line is read up to that line', async () => {
  const recording = await recordSession();
  const text = formatRecording(recording);
  expect(parseRecording(text.slice(0, -5)).steps).toEqual(recording.steps.slice(0, -1));
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
  const check = () => formatRecording(checkRecording(document));
  if (complaint === '') expect(parseRecording(check())).toEqual(document);
  else expect(check).toThrow(complaint);
});
