import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import '@zbc-signer/emulator/jest';
import { Emulator, parseRecording, replay } from '@zbc-signer/emulator';
import { GET_APP_VERSION } from '../../../testkit/device/apdu.js';
import { startPayment } from '../../../testkit/device/payment.js';

const VARIABLE = 'ZBC_SIGNER_TRACE_DIRECTORY';

let directory: string;

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'traces-')), 'made');
});

afterEach(() => {
  delete process.env[VARIABLE];
  rmSync(join(directory, '..'), { recursive: true });
});

/** What is left at the end. */
const namedIn = new Set<string>();
afterAll(() => {
  for (const path of namedIn) rmSync(path, { recursive: true, force: true });
});

/** The path in a message, on its line. */
function namedTrace(message: string): string {
  const [, path] = /^trace: (\S+)\nzbc-signer trace open \1$/m.exec(message) ?? [];
  if (path === undefined) throw new Error(`no trace in ${message}`);
  namedIn.add(join(path, '..'));
  return path;
}

const messageOf = (failed: Promise<unknown>): Promise<string> =>
  failed.then(
    () => 'nothing',
    (error: Error) => error.message,
  );

const FAILURES: [name: string, fail: (emulator: Emulator) => Promise<unknown>][] = [
  ['toShowReview', emulator => expect(emulator).toShowReview([])],
  ['toShow', async emulator => expect(emulator).toShow(['nothing'])],
  ['toMatchSnapshots', emulator => expect(emulator).toMatchSnapshots(join(directory, 'set'), { ci: true })],
  ['expectReview', emulator => emulator.expectReview([])],
  ['expectSnapshots', emulator => emulator.expectSnapshots(join(directory, 'set'), { ci: true })],
];

test.each(FAILURES)('a failed %s keeps the trace, names it, and can be replayed from it', async (_, fail) => {
  const { emulator } = await startPayment();
  await emulator.waitForReview();
  const message = await messageOf(fail(emulator));
  const path = namedTrace(message);
  const recording = parseRecording(readFileSync(path, 'utf8'));
  expect(recording.steps.at(-1)!.screen.texts).toEqual(emulator.texts());
  await replay(recording);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  emulator.stop();
});

test.each(['approve', 'reject', 'review'] as const)('so does %s when the device refuses', async name => {
  const emulator = await Emulator.start();
  const failed = messageOf(emulator[name]());
  await emulator.exchange(Uint8Array.of(0xe0, 0xff, 0, 0, 0));
  const message = await failed;
  expect(message).toMatch(/^the device answered 6D00 instead\n/);
  const { steps } = parseRecording(readFileSync(namedTrace(message), 'utf8'));
  expect(steps).toMatchObject([{ apdu: 'e0ff000000', reply: '6d00' }]);
  emulator.stop();
});

test('the stack of an error names the trace once, as test runners print it', async () => {
  const { emulator } = await startPayment();
  const { message, stack } = await emulator.expectReview([]).then(
    () => new Error('none'),
    (error: Error) => error,
  );
  expect(stack!.split(`trace: ${namedTrace(message)}`)).toHaveLength(2);
  emulator.stop();
});

test('with a directory every session is in a file of it, from the first step on', async () => {
  process.env[VARIABLE] = directory;
  const [one, other] = [await Emulator.start(), await Emulator.start()];
  await one.exchange(GET_APP_VERSION);
  const read = () =>
    readdirSync(directory).map(
      name => parseRecording(readFileSync(join(directory, name), 'utf8')).steps.length,
    );
  expect(read().sort()).toEqual([0, 1]);
  await other.exchange(GET_APP_VERSION);
  other.press('right');
  other.stop();
  one.stop();
  expect(read().sort()).toEqual([1, 2]);
  expect(readdirSync(directory).map(name => statSync(join(directory, name)).mode & 0o777)).toEqual([
    0o600, 0o600,
  ]);
  expect(readdirSync(directory)).toContain(basename(one.keepTrace()!));
});

test('a directory that cannot be made is reported at the start', async () => {
  writeFileSync(join(directory, '..', 'file'), '');
  process.env[VARIABLE] = join(directory, '../file/traces');
  await expect(Emulator.start()).rejects.toMatchObject({ code: 'TRACE_UNWRITABLE' });
});

test('a session of more than 10,000 steps has no trace in memory', async () => {
  const emulator = await Emulator.start();
  for (let press = 0; press < 10_000; press++) emulator.press('left');
  await Promise.resolve();
  namedIn.add(join(emulator.keepTrace()!, '..'));
  emulator.press('left');
  await Promise.resolve();
  emulator.press('left');
  await Promise.resolve();
  expect(emulator.keepTrace()).toBeUndefined();
  emulator.stop();
});
