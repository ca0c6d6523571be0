import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Emulator, EmulatorStoppedError, NoReviewError, parseTrace } from '@zbc-signer/emulator';
import { GET_APP_VERSION, getPublicKey, signMessage, splitReply } from '../../../testkit/device/apdu.js';
import { ADDRESS_REVIEW, CONFIRM_ADDRESS, CONFIRMED_HEX } from '../../../testkit/device/confirmed-account.js';
import { collectingGarbage } from '../../../testkit/process/collect-garbage.js';

const MENU = ['ZBC Signer', 'is ready'];

let emulator: Emulator;

beforeEach(async () => {
  emulator = await Emulator.start();
});

afterEach(() => emulator.stop().catch(() => undefined));

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const confirmAddress = (signal?: AbortSignal) => emulator.transport().exchange(CONFIRM_ADDRESS, signal);

describe('a review', () => {
  test('is read to its approve page, and approved there', async () => {
    const reply = confirmAddress();
    expect(await emulator.review()).toEqual(ADDRESS_REVIEW);
    expect(emulator.texts()).toEqual(['Approve', 'approve: press both']);
    await emulator.approve();
    expect(hex(await reply)).toBe(CONFIRMED_HEX);
    expect(emulator.texts()).toEqual(MENU);
  });

  test('can be approved from its reject page', async () => {
    const reply = confirmAddress();
    await emulator.review();
    emulator.press('right');
    expect(emulator.texts()).toEqual(['Reject', 'press both to reject']);
    await emulator.approve();
    expect(hex(await reply)).toBe(CONFIRMED_HEX);
  });

  test('can be rejected from its first page', async () => {
    const reply = confirmAddress();
    await emulator.reject();
    expect(hex(await reply)).toBe('6985');
  });

  test('can be awaited before its command is sent', async () => {
    const review = emulator.review();
    const reply = confirmAddress();
    expect(await review).toEqual(ADDRESS_REVIEW);
    await emulator.approve();
    expect(hex(await reply)).toBe(CONFIRMED_HEX);
  });
});

describe('waiting for a review', () => {
  test('ends at once when the command is refused', async () => {
    const wait = emulator.waitForReview();
    await emulator.exchange(getPublicKey(0x80000000));
    await expect(wait).rejects.toThrow(NoReviewError);
    await expect(wait).rejects.toThrow('6A80');
  });

  test('continues after commands that succeed', async () => {
    const wait = emulator.waitForReview();
    await emulator.exchange(GET_APP_VERSION);
    const reply = confirmAddress();
    await wait;
    await emulator.reject();
    await reply;
  });

  test('ends when its time limit expires', async () => {
    const { message, cause } = await emulator.waitForReview(1).then(undefined, error => error);
    expect(message).toContain('no review within 1 ms');
    // After a timer, the stack of the error itself lacks the caller's line.
    expect(cause.stack).toMatch(/waitForReview\(\) was called here\n[\s\S]*emulator\.test\.[jt]s:\d+:\d+/);
  });

  test('ends before Jest’s time limit for the test, so that the test fails with our message', async () => {
    const waits = [emulator.waitForReview(), emulator.approve(), emulator.reject(), emulator.review()];
    for (const wait of waits) wait.catch(() => undefined);
    for (const wait of waits) await expect(wait).rejects.toThrow('no review within 800 ms');
  }, 1000);

  test('reports what the screen shows, and whether a command arrived', async () => {
    await expect(emulator.waitForReview(1)).rejects.toThrow(
      /no command arrived[\s\S]*\n {2}ZBC Signer\n {2}is ready\n/,
    );
    const wait = emulator.waitForReview(100);
    await emulator.exchange(GET_APP_VERSION);
    await expect(wait).rejects.toThrow('1 command was answered');
  });

  test('says that the last review was decided before, if it was', async () => {
    const reply = confirmAddress();
    await emulator.approve();
    await reply;
    await expect(emulator.waitForReview(1)).rejects.toThrow('after the last review, which was approved');
  });
});

describe('a firmware that signs before both buttons are pressed', () => {
  const early = { code: 'SIGNED_EARLY', message: expect.stringMatching(/^the device signed before both/) };

  test('fails the wait for a review at once', async () => {
    const wait = emulator.waitForReview();
    const [header] = signMessage(0, new Uint8Array(4));
    const [, ...chunk] = signMessage(0, new Uint8Array(4));
    emulator.emit('input', { apdu: header! });
    emulator.emit('command', Buffer.from('9000', 'hex'));
    emulator.emit('input', { apdu: chunk[0]! });
    emulator.emit('command', Buffer.concat([Buffer.alloc(64), Buffer.from('9000', 'hex')]));
    await expect(wait).rejects.toMatchObject(early);
  });

  test.each(['approve', 'reject', 'review'] as const)('fails %s(), which turns the pages', async call => {
    const [header, chunk] = signMessage(0, Buffer.from('Sign in')) as [Uint8Array, Uint8Array];
    await emulator.exchange(header);
    const signed = emulator.exchange(chunk);
    emulator.once('input', () => {
      for (let page = 0; page < 9; page++) emulator.press('right');
      for (const button of ['left', 'both'] as const) emulator.press(button);
    });
    await expect(emulator[call]()).rejects.toMatchObject(early);
    expect(await signed).toHaveLength(66);
  });
});

describe('a host that disconnects', () => {
  test('drops its review by aborting', async () => {
    const host = new AbortController();
    const reply = confirmAddress(host.signal);
    host.abort(new Error('no patience'));
    await expect(reply).rejects.toThrow('no patience');
    expect(emulator.texts()).toEqual(MENU);
    expect(splitReply(await emulator.exchange(GET_APP_VERSION)).status).toBe('9000');
  });

  test('drops its review when its time limit expires, even if only the host references the timer', async () => {
    const reply = confirmAddress(AbortSignal.timeout(200));
    await expect(collectingGarbage(reply)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(emulator.texts()).toEqual(MENU);
  });

  test('drops its review by closing its transport', async () => {
    const transport = emulator.transport();
    const reply = transport.exchange(CONFIRM_ADDRESS);
    transport.close();
    await expect(reply).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
    expect(emulator.texts()).toEqual(MENU);
    await expect(transport.exchange(GET_APP_VERSION)).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
  });

  test('does not drop the review of another host', async () => {
    const [mine, other] = [emulator.transport(), emulator.transport()];
    const reply = mine.exchange(CONFIRM_ADDRESS);
    await other.exchange(GET_APP_VERSION);
    other.close();
    await emulator.approve();
    expect(hex(await reply)).toBe(CONFIRMED_HEX);
  });

  test('changes nothing when its command was already answered', async () => {
    const host = new AbortController();
    const answered = confirmAddress(host.signal);
    await emulator.approve();
    await answered;
    const reply = confirmAddress();
    host.abort();
    expect(emulator.reviewing).toBe(true);
    await emulator.approve();
    expect(hex(await reply)).toBe(CONFIRMED_HEX);
  });

  test('sends nothing if it disconnected before its command', async () => {
    await expect(confirmAddress(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(emulator.texts()).toEqual(MENU);
  });
});

describe('a stop', () => {
  test.each([false, true])(
    'leaves a trace that says which call was pending, with a trace directory: %s',
    async isNamed => {
      const directory = mkdtempSync(join(tmpdir(), 'left-'));
      if (isNamed) process.env.ZBC_SIGNER_TRACE_DIRECTORY = directory;
      const leaving = await Emulator.start();
      delete process.env.ZBC_SIGNER_TRACE_DIRECTORY;
      void leaving.exchange(CONFIRM_ADDRESS);
      const { message } = await leaving.stop().then(undefined, error => error);
      const [, path] = /^trace: (\S+)\n/m.exec(message)!;
      expect(path!.startsWith(directory)).toBe(isNamed);
      expect(parseTrace(readFileSync(path!, 'utf8')).failure).toMatchObject({
        test: expect.stringContaining('leaves a trace'),
        message: expect.stringContaining('had not ended'),
      });
      rmSync(directory, { recursive: true });
    },
  );

  const pending = (promise: Promise<unknown>) =>
    Promise.race([promise.then(String, String), pause(20).then(() => 'pending')]);

  test('names the command that waits for the user, the screen, and where the call began', async () => {
    const reply = confirmAddress();
    const stopped = emulator.stop();
    const { code, message, cause } = await stopped.then(undefined, error => error);
    expect(code).toBe('STILL_PENDING');
    expect(message).toMatch(/getPublicKey[\s\S]*APDU e00501[\s\S]*a stop names the command/);
    expect(message).toContain(`\n  ${ADDRESS_REVIEW[0]![0]}\n`);
    expect(message).toContain('await Promise.all([reply, emulator.approve()])');
    expect(message).toMatch(/^trace: \S+\n/m);
    expect(cause.stack).toMatch(/emulator\.test\.[jt]s:\d+:\d+/);
    expect(emulator.stop()).toBe(stopped);
    // Perhaps nothing awaits the reply any more. Then a rejection would be unhandled, and would end the
    // process.
    expect(await pending(reply)).toBe('pending');
  });

  test.each<[string, unknown, string]>([
    ['says nothing after another failure of the test', [new Error('one is not two')], 'undefined'],
    ['explains why the time was over', ['Exceeded timeout of 5000 ms for a test.'], 'STILL_PENDING'],
  ])('%s', async (_, error, expected) => {
    const symbol = Object.getOwnPropertySymbols(globalThis).find(
      each => each.description === 'JEST_STATE_SYMBOL',
    );
    const { errors } = Reflect.get(globalThis, symbol!).currentlyRunningTest;
    confirmAddress();
    errors.push(error);
    const code = await emulator.stop().then(
      () => undefined,
      fault => fault.code,
    );
    errors.pop();
    expect(`${code}`).toBe(expected);
  });

  test('names the call that waits for a command', async () => {
    const wait = emulator.approve();
    await expect(emulator.stop()).rejects.toThrow(/^emulator\.approve\(\).* had not ended/);
    expect(await pending(wait)).toBe('pending');
  });

  test('advises to await a call that already has its review', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'unawaited-'));
    const reply = confirmAddress();
    void emulator.expectSnapshots(directory, { decide: 'approve', ci: false });
    await reply;
    // The call still writes to the directory, so it stays until the run's temporary files are removed.
    await expect(emulator.stop()).rejects.toThrow(/^emulator\.expectSnapshots\(…\).*: await it\n/);
  });

  test('names a command that is sent in the same turn of the event loop', async () => {
    const stopped = emulator.stop();
    const late = confirmAddress();
    await expect(stopped).rejects.toThrow('APDU e00501');
    expect(await pending(late)).toBe('pending');
  });

  test('reports nothing after a failed expectation, because the rest is a consequence', async () => {
    const reply = confirmAddress();
    await expect(emulator.expectReview([])).rejects.toThrow('the review differs');
    await emulator.stop();
    expect(await pending(reply)).toBe('pending');
  });

  test('reports nothing when the host has disconnected', async () => {
    const reply = confirmAddress();
    emulator.cancel();
    await expect(reply).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
    await emulator.stop();
  });

  test('leaves the abort signal of a host in effect', async () => {
    const host = new AbortController();
    const reply = confirmAddress(host.signal);
    emulator.stop();
    host.abort(new Error('no patience'));
    await expect(reply).rejects.toThrow('no patience');
  });
});

test('a stopped emulator rejects commands and presses', async () => {
  await emulator.stop();
  await expect(emulator.exchange(GET_APP_VERSION)).rejects.toBeInstanceOf(EmulatorStoppedError);
  expect(() => emulator.press('left')).toThrow(EmulatorStoppedError);
});
