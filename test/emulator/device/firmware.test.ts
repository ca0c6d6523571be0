import { compileFirmware } from '#emulator/device/firmware.js';

it('says how to build a firmware that is missing', async () => {
  const missing = compileFirmware('/nowhere/zbc-signer.wasm');
  await expect(missing).rejects.toMatchObject({ code: 'FIRMWARE_MISSING' });
  await expect(missing).rejects.toThrow('/nowhere/zbc-signer.wasm is missing; run "make build"');
});
