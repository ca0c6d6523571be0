import { join } from 'node:path';
import { Emulator, startEmulatorServer } from '@zbc-signer/emulator';
import { attachZemu } from '@zbc-signer/emulator/zemu';
import { CONFIRM_ADDRESS } from '../../testkit/device/confirmed-account.js';
import { openTestDirectory } from '../../testkit/process/temporary-directory.js';

/** Passes options like JavaScript, without a check of names. */
const mistyped = (options: object) => options;

test.each([
  [{ sed: 'abandon …' }, 'unknown option "sed"; did you mean "seed"?'],
  [{ setings: new Uint8Array(16) }, 'unknown option "setings"; did you mean "settings"?'],
  [{ mnemonic: 'abandon …' }, 'unknown option "mnemonic"; the known options are seed, keystore, settings,'],
])('an emulator rejects unknown options: %p', async (options, message) => {
  const refused = { code: 'UNKNOWN_OPTION', message: expect.stringContaining(message) };
  await expect(Emulator.start(mistyped(options))).rejects.toMatchObject(refused);
});

test('the emulator server, the stand-in for Zemu and snapshots reject unknown options', async () => {
  const served = startEmulatorServer(mistyped({ apiport: 0 }));
  await expect(served).rejects.toThrow('unknown option "apiport"; did you mean "apiPort"?');
  expect(() => attachZemu({}, mistyped({ sever: {} }))).toThrow('did you mean "server"?');
  const emulator = await Emulator.start({ seed: undefined });
  const compared = emulator.expectSnapshots('nowhere', mistyped({ decides: 'approve' }));
  await expect(compared).rejects.toThrow('did you mean "decide"?');
  emulator.stop();
});

describe('an invalid value is rejected', () => {
  const invalid = (message: string) => ({ code: 'INVALID_INPUT', message: expect.stringContaining(message) });
  let emulator: Emulator;
  const directory = openTestDirectory();

  beforeEach(async () => {
    emulator = await Emulator.start();
  });
  afterEach(() => emulator.stop());

  test.each([
    [{ decide: 'rejected' }, 'decide must be one of "approve", "reject", not "rejected"'],
    [{ decide: true }, 'decide must be one of "approve", "reject", not "true"'],
    [{ update: 'false' }, 'update must be one of true, false, not "false"'],
    [{ ci: '0' }, 'ci must be one of true, false, not "0"'],
  ])('snapshots with %p decide nothing', async (options, message) => {
    const signed = emulator.exchange(CONFIRM_ADDRESS);
    // The call is not answered if the expectation fails.
    signed.catch(() => undefined);
    const compared = emulator.expectSnapshots(join(directory, 'set'), mistyped(options));
    await expect(compared).rejects.toMatchObject(invalid(message));
    expect(emulator.reviewing).toBe(true);
    await emulator.reject();
    expect(Buffer.from(await signed).toString('hex')).toBe('6985');
  });

  test.each(['rigth', 'toString', undefined])('the button %p', button => {
    const press = () => Reflect.apply(emulator.press, emulator, [button]);
    expect(press).toThrow(`the button must be one of "left", "right", "both", not "${button}"`);
  });

  test.each(['e001000000', [0xe0, 1, 0, 0, 0], undefined])('the command %p', async command => {
    const answered = Reflect.apply(emulator.exchange, emulator, [command]);
    await expect(answered).rejects.toMatchObject(invalid('a command must be a Uint8Array'));
    expect(emulator.crashes).toEqual([]);
  });

  test.each([new Uint8Array(15), new Uint8Array(17), '0'.repeat(16)])('the settings %p', async settings => {
    const started = Emulator.start(mistyped({ settings }));
    await expect(started).rejects.toMatchObject(invalid('settings must be a Uint8Array of 16 bytes'));
  });
});
