import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Emulator, record, type Trace } from '@zbc-signer/emulator';
import { renderTest, type TestRunner } from '@zbc-signer/emulator/trace';
import { GET_APP_VERSION, send, signTransaction } from '../../../testkit/device/apdu.js';
import { CONFIRM_ADDRESS } from '../../../testkit/device/confirmed-account.js';
import { payment } from '../../../testkit/device/payment.js';
import { runToEnd } from '../../../testkit/process/run-to-end.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { root } from '../../../testkit/repository/repository.js';

const JEST = ['--experimental-vm-modules', join(root, 'node_modules/jest/bin/jest.js'), '--transform={}'];
const NAME = 'pays #{1} `\\\'"\n\u2028';

const directory = openTestDirectory();

beforeAll(() => {
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(join(root, 'node_modules/@zbc-signer'), join(directory, 'node_modules/@zbc-signer'));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
});

async function recordSession(act: (emulator: Emulator) => Promise<void>): Promise<Trace> {
  const emulator = await Emulator.start();
  const recorder = record(emulator);
  await act(emulator);
  emulator.stop().catch(() => undefined);
  return recorder.stop();
}

/**
 * Requests the version, pays and rejects an address. If `isWhole`, reviews that end without a decision
 * follow.
 */
const converse = (isWhole: boolean) => async (emulator: Emulator) => {
  await emulator.exchange(GET_APP_VERSION);
  const signed = send(apdu => emulator.exchange(apdu), signTransaction(payment));
  await emulator.approve();
  await signed;
  const confirmed = emulator.exchange(CONFIRM_ADDRESS);
  await emulator.reject();
  await confirmed;
  if (!isWhole) return;
  for (const drop of ['restart', 'cancel'] as const) {
    const dropped = emulator.exchange(CONFIRM_ADDRESS).catch(() => undefined);
    emulator[drop]();
    await dropped;
  }
  emulator.exchange(CONFIRM_ADDRESS).catch(() => undefined);
};

const write = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return name;
};

/** Changes the amount on the last screen that shows one. */
function withOtherAmount(trace: Trace): Trace {
  const steps = trace.steps.map(step =>
    step.screen.texts[0] === 'Amount'
      ? { ...step, screen: { ...step.screen, texts: ['Amount', '9 ZBC'] } }
      : step,
  );
  return { ...trace, steps };
}

test.each<[TestRunner, string, string[]]>([
  ['jest', 'recorded.test.js', [...JEST, '--rootDir=.', '--runInBand']],
  ['node', 'recorded.node.mjs', ['--test']],
])(
  'a session can be exported as a test for %s, which fails where a screen differs',
  async (runner, name, words) => {
    const trace = await recordSession(converse(true));
    const passing = await runToEnd(
      process.execPath,
      [...words, write(name, renderTest(trace, runner, NAME))],
      directory,
    );
    expect(passing).toMatchObject({ failed: false });
    write(name, renderTest(withOtherAmount(trace), runner, NAME));
    const failing = await runToEnd(process.execPath, [...words, name], directory);
    expect(failing).toMatchObject({ failed: true, output: expect.stringContaining('9 ZBC') });
  },
);

test('a test for Vitest differs from the test for Jest only in its imports', async () => {
  const trace = await recordSession(converse(true));
  const [vitest, jest] = (['vitest', 'jest'] as const).map(runner =>
    renderTest(trace, runner, NAME)
      .split('\n')
      .filter(line => !line.startsWith('import ')),
  );
  expect(vitest).toEqual(jest);
});

test('traces that pytest cannot replay, and an unsuitable seed, are rejected', async () => {
  const trace = await recordSession(converse(true));
  expect(() => renderTest(trace, 'pytest', NAME)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  const locked: Trace = { ...(await recordSession(async () => undefined)), seed: 'none' };
  expect(() => renderTest(locked, 'pytest', NAME)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('locked') }),
  );
  const other: Trace = { ...trace, seed: 'other' };
  expect(() => renderTest(other, 'jest', NAME)).toThrow(expect.objectContaining({ code: 'TRACE_SEED' }));
});
