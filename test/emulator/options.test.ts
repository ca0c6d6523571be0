import { Emulator, startEmulatorServer } from '@zbc-signer/emulator';
import { attachZemu } from '@zbc-signer/emulator/zemu';

/** As from JavaScript, where nothing checks the names. */
const mistyped = (options: object) => options;

test.each([
  [{ sed: 'abandon …' }, 'unknown option "sed"; did you mean "seed"?'],
  [{ setings: new Uint8Array(16) }, 'unknown option "setings"; did you mean "settings"?'],
  [{ mnemonic: 'abandon …' }, 'unknown option "mnemonic"; there are seed, settings, module,'],
])('an emulator refuses options that it has not: %p', async (options, message) => {
  const refused = { code: 'UNKNOWN_OPTION', message: expect.stringContaining(message) };
  await expect(Emulator.start(mistyped(options))).rejects.toMatchObject(refused);
});

test('so do its servers, Zemu’s stand-in and snapshots', async () => {
  const served = startEmulatorServer(mistyped({ apiport: 0 }));
  await expect(served).rejects.toThrow('unknown option "apiport"; did you mean "apiPort"?');
  expect(() => attachZemu({}, mistyped({ sever: {} }))).toThrow('did you mean "server"?');
  const emulator = await Emulator.start({ seed: undefined });
  const compared = emulator.expectSnapshots('nowhere', mistyped({ decides: 'approve' }));
  await expect(compared).rejects.toThrow('did you mean "decide"?');
  emulator.stop();
});
