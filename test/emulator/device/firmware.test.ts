import { compileFirmware } from '#emulator/device/firmware.js';

test('reports how to build a firmware that is missing', () => {
  const compile = () => compileFirmware('/nowhere/zbc-signer.wasm');
  expect(compile).toThrow(expect.objectContaining({ code: 'FIRMWARE_MISSING' }));
  expect(compile).toThrow('/nowhere/zbc-signer.wasm is missing; run "make build"');
});
