import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emulator, type EmulatorServer, parseTrace, type ReviewItem } from '@zbc-signer/emulator';
import { drawScreen } from '@zbc-signer/emulator/screen-art';
import { Signer } from '@zbc-signer/host';
import { GET_APP_VERSION, getPublicKey, signMessage } from '../../../testkit/device/apdu.js';
import { ADDRESS_REVIEW, CONFIRM_ADDRESS, CONFIRMED_HEX } from '../../../testkit/device/confirmed-account.js';
import { startServer } from '../../../testkit/device/device-host.js';
import { antiExfil } from '../../../testkit/repository/vectors.js';
import { until } from '../../../testkit/time/until.js';

// The device is an emulator behind its ports; its REST interface presses and shows the screen.

const MENU = ['ZBC Signer', 'is ready'];
const TEXT = new TextEncoder().encode('Sign in to example.org');
const [[title, address] = ['', '']] = ADDRESS_REVIEW as ReviewItem[];
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const committed = antiExfil.cases.find(({ name }) => name === 'message')!.steps;
let device: EmulatorServer;
let emulator: Emulator;
/** Presses on the device so far. */
let presses: string[];

async function begin(options: { seed?: string } = {}): Promise<void> {
  device = await startServer({ apduPort: 0, ledgerPort: 0, ...options });
  presses = [];
  device.emulator.on('input', input => {
    if ('button' in input) presses.push(input.button);
  });
  emulator = await Emulator.start({ device: device.api });
}

afterEach(async () => {
  await emulator?.stop().catch(() => undefined);
  await device.close();
});

describe('a test with a real device', () => {
  test('has every page and reply compared, even those that the test does not check', async () => {
    await begin();
    const confirmed = emulator.transport().exchange(CONFIRM_ADDRESS);
    await emulator.expectReview([[title, address]]);
    expect(device.emulator.texts()).toEqual(['Approve', 'approve: press both']);
    expect(device.emulator.reviewing).toBe(true);
    await emulator.approve();
    expect(hex(await confirmed)).toBe(CONFIRMED_HEX);
    expect([device.emulator.texts(), presses.filter(button => button === 'both').length]).toEqual([MENU, 1]);
  });

  test('can approve one signature and reject another', async () => {
    await begin();
    const signer = new Signer(emulator.transport());
    const [{ signature }] = await Promise.all([signer.signMessage(0, TEXT), emulator.approve()]);
    expect(signature).toHaveLength(64);
    const rejected = expect(signer.signMessage(0, TEXT)).rejects.toThrow('rejected on the device');
    await Promise.all([rejected, emulator.reject()]);
    expect([emulator.texts(), device.emulator.texts()]).toEqual([MENU, MENU]);
  });

  test('compares snapshots, whose pixels are those of the emulator', async () => {
    await begin();
    const directory = mkdtempSync(join(tmpdir(), 'zbc-attended-'));
    for (const ci of [false, true]) {
      const confirmed = emulator.exchange(CONFIRM_ADDRESS);
      await Promise.all([confirmed, emulator.expectSnapshots(directory, { decide: 'approve', ci })]);
    }
    expect(readdirSync(directory).length).toBeGreaterThan(2);
    rmSync(directory, { recursive: true });
  });

  test('receives a refusal, and BUSY during a review', async () => {
    await begin();
    expect(hex(await emulator.exchange(getPublicKey(0x80000000)))).toMatch(/6a80$/);
    const confirmed = emulator.transport().exchange(CONFIRM_ADDRESS);
    expect(hex(await emulator.transport().exchange(GET_APP_VERSION))).toBe('6901');
    await Promise.all([confirmed, emulator.approve()]);
  });

  test('is asked as by another host while the upload of a transport is unfinished', async () => {
    await begin();
    const other = emulator.transport();
    const [header, chunk] = signMessage(0, TEXT) as [Uint8Array, Uint8Array];
    const mine = emulator.transport();
    expect(hex(await mine.exchange(header))).toBe('9000');
    expect(hex(await other.exchange(chunk))).toBe('6902');
    expect(hex(await other.exchange(GET_APP_VERSION))).toMatch(/9000$/);
    const [signed] = await Promise.all([mine.exchange(chunk), emulator.approve()]);
    expect(hex(signed)).toMatch(/9000$/);
  });

  test('gets the header, the chunks and REVEAL of a signature with a commitment', async () => {
    await begin();
    const [header, chunk, reveal] = committed.map(({ command }) => Buffer.from(command, 'hex'));
    const transport = emulator.transport();
    await transport.exchange(header!);
    const [point] = await Promise.all([transport.exchange(chunk!), emulator.approve()]);
    const replies = [point, await transport.exchange(reveal!)].map(reply => hex(reply));
    expect(replies).toEqual(committed.slice(1).map(({ reply }) => reply));
  });

  test('makes presses that it did not await before the next command, and before it stops', async () => {
    await begin();
    emulator.press('right');
    await emulator.exchange(GET_APP_VERSION);
    expect(presses).toEqual(['right']);
    emulator.press('left');
    await emulator.stop();
    expect(presses).toEqual(['right', 'left']);
  });

  test('can cut the power of the device', async () => {
    await begin();
    const dropped = expect(emulator.exchange(CONFIRM_ADDRESS)).rejects.toThrow('disconnected');
    await emulator.waitForReview();
    emulator.restart();
    await dropped;
    await emulator.confirmed();
    expect(device.emulator.reviewing).toBe(false);
  });
});

describe('the review on the device ends', () => {
  test('when the host of the test aborts', async () => {
    await begin();
    const host = new AbortController();
    const dropped = expect(emulator.exchange(CONFIRM_ADDRESS, host.signal)).rejects.toThrow('no patience');
    await emulator.confirmed();
    expect(device.emulator.reviewing).toBe(true);
    host.abort(new Error('no patience'));
    await dropped;
    await emulator.confirmed();
    expect(device.emulator.reviewing).toBe(false);
  });

  test('when the test stops in the middle, without another press', async () => {
    await begin();
    void emulator.exchange(CONFIRM_ADDRESS);
    await until(() => device.emulator.reviewing);
    emulator.press('right');
    await expect(emulator.stop()).rejects.toMatchObject({ code: 'STILL_PENDING' });
    await until(() => !device.emulator.reviewing);
    expect(presses).toEqual([]);
  });
});

describe('a test fails', () => {
  test('if the device is unplugged in the middle', async () => {
    await begin();
    const confirmed = emulator.exchange(CONFIRM_ADDRESS);
    await emulator.confirmed();
    const closed = device.close();
    await expect(confirmed).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
    await expect(emulator.confirmed()).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
    await closed;
  });

  test('if the device answers a review before the test has decided it', async () => {
    await begin();
    const confirmed = emulator.exchange(CONFIRM_ADDRESS);
    await emulator.confirmed();
    await device.emulator.reject();
    const fault = {
      code: 'SIGNED_EARLY',
      message: expect.stringContaining(
        'the device answered 6985 before both buttons were pressed\n\ntrace: ',
      ),
    };
    await expect(confirmed).rejects.toMatchObject(fault);
    await expect(emulator.confirmed()).rejects.toMatchObject(fault);
    expect(() => emulator.press('left')).toThrow('the device answered 6985');
  });

  test('with the verdict that the device signed early, although the test has already approved', async () => {
    await begin();
    device.emulator.once('screen', () => setImmediate(() => void device.emulator.approve()));
    const [header, chunk] = signMessage(0, TEXT) as [Uint8Array, Uint8Array];
    await emulator.exchange(header);
    const signed = emulator.exchange(chunk);
    signed.catch(() => undefined);
    await expect(emulator.approve()).rejects.toMatchObject({
      code: 'SIGNED_EARLY',
      message: expect.stringMatching(/^the device signed before both buttons were pressed\n/),
    });
    await expect(signed).rejects.toMatchObject({ code: 'SIGNED_EARLY' });
  });

  test('at the first step that differs, with the expected and the shown screen in message and trace', async () => {
    await begin();
    // This device skips the second page.
    let pages = 0;
    let skipped: Uint8Array | undefined;
    device.emulator.on('screen', () => {
      pages += 1;
      if (pages !== 2) return;
      device.emulator.press('right');
      skipped = device.emulator.frame();
    });
    const confirmed = emulator.exchange(CONFIRM_ADDRESS);
    confirmed.catch(() => undefined);
    const error: Error = await emulator.approve().catch(fault => fault);
    const { failure, steps, frames } = parseTrace(
      readFileSync(/^trace: (.*)$/m.exec(error.message)![1]!, 'utf8'),
    );
    // GET_APP_VERSION, GET_PUBLIC_KEY, CONFIRM_ADDRESS, and a press.
    const { texts, frame } = steps[3]!.screen;
    expect(error.message).toContain(
      `at step 4 (press right), the display does not show "${texts.join(' / ')}"`,
    );
    const pixels = (hash = '') => Buffer.from(frames[hash]!, 'base64');
    expect(error.message).toContain(
      `expected:\n${drawScreen(pixels(frame))}\nshown:\n${drawScreen(pixels(failure!.shown))}`,
    );
    // Test runners print the stack.
    expect(error.stack).toContain(error.message);
    expect(failure).toMatchObject({ step: 4, expected: { texts, frame } });
    expect(pixels(failure!.shown).equals(skipped!)).toBe(true);
  });

  test('without the point of a nonce in its message, which a dishonest device chooses', async () => {
    await begin();
    const [header, chunk] = committed.map(({ command }) => Buffer.from(command, 'hex'));
    await emulator.exchange(header!);
    const approved = emulator.exchange(chunk!);
    await emulator.confirmed();
    await device.emulator.approve();
    await expect(approved).rejects.toThrow(/^the device signed before both/);
    await expect(emulator.confirmed()).rejects.not.toThrow(/[0-9a-f]{64}/);
  });

  test('at its end, if the fault was not reported before', async () => {
    await begin();
    emulator.press('right');
    await device.close();
    await expect(emulator.stop()).rejects.toThrow();
  });
});

describe('a test does not start', () => {
  test('with a device that has another seed, which is unlocked afterwards', async () => {
    const other = begin({ seed: `hex:${'11'.repeat(64)}` });
    await expect(other).rejects.toThrow('the device has a seed other than the test mnemonic');
    await expect(Emulator.start({ device: device.api })).rejects.toMatchObject({ code: 'DEVICE_MISMATCH' });
  });

  test('with a device that has an open seed, if the emulator has none', async () => {
    device = await startServer({ apduPort: 0, ledgerPort: 0 });
    await expect(Emulator.start({ keystore: {}, device: device.api })).rejects.toMatchObject({
      code: 'DEVICE_MISMATCH',
      message: expect.stringContaining('the device has an open seed, but the emulator has none: '),
    });
  });

  test('with a locked device or another setting, if the emulator has a seed and the default setting', async () => {
    const other = await Emulator.start({ device: null });
    for (const button of ['right', 'both', 'both'] as const) other.press(button);
    device = await startServer({ apduPort: 0, ledgerPort: 0, seed: null, settings: other.settings });
    await other.stop();
    await expect(Emulator.start({ device: device.api })).rejects.toThrow(
      'the device has another value of the setting Unknown chains, and no open seed, but the emulator has one: ',
    );
  });

  test('with a device that another emulator uses', async () => {
    await begin();
    await expect(Emulator.start({ device: device.api })).rejects.toMatchObject({ code: 'DEVICE_TAKEN' });
    await emulator.stop();
    await (await Emulator.start({ device: device.api })).stop();
  });

  test('with a device name that is invalid or where no device is found', async () => {
    await begin();
    await expect(Emulator.start({ device: 'ftp://signer' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(Emulator.start({ device: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      code: 'DEVICE_NOT_FOUND',
    });
  });

  test.each([{ seed: null }, { settings: new Uint8Array(16) }])(
    'with an option that no real device supports: %p',
    async options => {
      await begin();
      const started = Emulator.start({ device: 'http://127.0.0.1:1', ...options });
      await expect(started).rejects.toMatchObject({ code: 'NOT_ON_DEVICE' });
      expect(() => emulator.report(new Uint8Array(64), () => undefined)).toThrow(
        'a real device does not support raw reports',
      );
    },
  );
});

test('ZBC_SIGNER_DEVICE selects the device for every test', async () => {
  await begin();
  await emulator.stop();
  process.env.ZBC_SIGNER_DEVICE = device.api;
  const { write } = process.stderr;
  let said = '';
  process.stderr.write = (text: unknown) => {
    said += `${text}`;
    return true;
  };
  try {
    await (await Emulator.start()).stop();
    emulator = await Emulator.start();
    // This is printed once, because the variable may have been set long ago in the shell.
    expect(said).toBe(`These tests run on the device ${device.api}, as ZBC_SIGNER_DEVICE says.\n`);
    const confirmed = emulator.exchange(CONFIRM_ADDRESS);
    await Promise.all([confirmed, emulator.reject()]);
    expect(presses).toContain('both');
  } finally {
    process.stderr.write = write;
    delete process.env.ZBC_SIGNER_DEVICE;
  }
});
