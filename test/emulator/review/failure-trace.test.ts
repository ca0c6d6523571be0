import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import '@zbc-signer/emulator/jest';
import { Emulator, parseTrace, replay } from '@zbc-signer/emulator';
import { PNG } from 'pngjs';
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

/** Traces that must remain at the end. */
const namedIn = new Set<string>();
afterAll(() => {
  for (const path of namedIn) rmSync(path, { recursive: true, force: true });
});

/** The path on the message's line about the trace. */
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
  const trace = parseTrace(readFileSync(path, 'utf8'));
  expect(trace.steps.at(-1)!.screen.texts).toEqual(emulator.texts());
  await replay(trace);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  emulator.stop();
});

describe('the trace of a failed expectation says', () => {
  const failureOf = async (fail: (emulator: Emulator) => Promise<unknown>) => {
    const { emulator } = await startPayment();
    await emulator.waitForReview();
    const message = await messageOf(fail(emulator));
    emulator.stop();
    const { failure, start, steps, frames } = parseTrace(readFileSync(namedTrace(message), 'utf8'));
    const { texts, frame } = [start, ...steps.map(({ screen }) => screen)][failure!.step]!;
    expect(message.startsWith(failure!.message)).toBe(true);
    expect(failure!.test).toMatch(/failure-trace\.test\.[jt]s: the trace of a failed expectation says /);
    return { expected: failure!.expected, texts, frame, frames };
  };

  test('what the screen should have been', async () => {
    expect(await failureOf(async emulator => expect(emulator).toShow(['Network', 'ZBC']))).toMatchObject({
      expected: { texts: ['Network', 'ZBC'] },
      texts: ['Network', 'UNKNOWN CHAIN ', 'cf30b4a8'],
    });
  });

  test('which page has another value, although the device went on to the last page', async () => {
    const fail = async (emulator: Emulator) => {
      const items = await emulator.review();
      await emulator.expectReview(items.map(([title, value]) => [title, title === 'Fee' ? '9 ZBC' : value]));
    };
    expect(await failureOf(fail)).toMatchObject({
      expected: { texts: ['Fee', '9 ZBC'] },
      texts: ['Fee', '0.05 ZBC'],
    });
  });

  test('the pixels of the first snapshot that differs', async () => {
    const set = join(directory, 'set');
    const fail = async (emulator: Emulator) => {
      await emulator.expectSnapshots(set, { ci: false });
      const png = PNG.sync.read(readFileSync(join(set, '00001.png')));
      for (let i = 0; i < 3; i++) png.data[i] = png.data[i] === 0 ? 0xdd : 0;
      writeFileSync(join(set, '00001.png'), PNG.sync.write(png));
      await emulator.expectSnapshots(set);
    };
    const { expected, texts, frame, frames } = await failureOf(fail);
    expect(texts).toEqual(['Type', 'Send ZBC']);
    const [shown, wanted] = [frame, expected!.frame!].map(hash => Buffer.from(frames[hash]!, 'base64'));
    expect(wanted![0]).toBe(shown![0]! ^ 0x80);
    expect(wanted!.subarray(1)).toEqual(shown!.subarray(1));
  });

  test('what the first failure expected, if there is a trace directory', async () => {
    process.env[VARIABLE] = directory;
    const { emulator } = await startPayment();
    await emulator.waitForReview();
    for (const texts of [['first'], ['second']]) {
      await messageOf((async () => expect(emulator).toShow(texts))());
    }
    emulator.press('right');
    emulator.stop();
    const { failure, steps } = parseTrace(readFileSync(emulator.keepTrace()!, 'utf8'));
    expect(failure!.expected).toEqual({ texts: ['first'] });
    expect(steps.length).toBe(failure!.step + 1);
  });
});

test.each(['approve', 'reject', 'review'] as const)(
  'a failed %s keeps the trace when the device refuses',
  async name => {
    const emulator = await Emulator.start();
    const failed = messageOf(emulator[name]());
    await emulator.exchange(Uint8Array.of(0xe0, 0xff, 0, 0, 0));
    const message = await failed;
    expect(message).toMatch(/^the device answered 6D00 instead of opening a review\n/);
    const { steps } = parseTrace(readFileSync(namedTrace(message), 'utf8'));
    expect(steps).toMatchObject([{ apdu: 'e0ff000000', reply: '6d00' }]);
    emulator.stop();
  },
);

test('the stack of an error names the trace once, as test runners print it', async () => {
  const { emulator } = await startPayment();
  const { message, stack } = await emulator.expectReview([]).then(
    () => new Error('none'),
    (error: Error) => error,
  );
  expect(stack!.split(`trace: ${namedTrace(message)}`)).toHaveLength(2);
  emulator.stop();
});

test('with a trace directory, every session is written to a file there from its first step on', async () => {
  process.env[VARIABLE] = directory;
  const [one, other] = [await Emulator.start(), await Emulator.start()];
  await one.exchange(GET_APP_VERSION);
  const read = () =>
    readdirSync(directory).map(name => parseTrace(readFileSync(join(directory, name), 'utf8')).steps.length);
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

test('a trace directory that cannot be created is reported at the start', async () => {
  writeFileSync(join(directory, '..', 'file'), '');
  process.env[VARIABLE] = join(directory, '../file/traces');
  await expect(Emulator.start()).rejects.toMatchObject({ code: 'TRACE_UNWRITABLE' });
});

test('a session of more than 10,000 steps keeps no trace in memory', async () => {
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
