import { Platform } from '#emulator/device/platform.js';

test('the platform overwrites its seed when it is wiped, and then has no seed', () => {
  const seed = new Uint8Array(64).fill(7);
  const platform = new Platform(seed, undefined);
  const memory = { buffer: new ArrayBuffer(65536) } as WebAssembly.Memory;
  const hal = platform.imports(() => memory) as { seed(out: number): number };
  expect(hal.seed(0)).toBe(1);
  expect(new Uint8Array(memory.buffer, 0, 64)).toEqual(seed);
  platform.wipe();
  expect(seed).toEqual(new Uint8Array(64));
  expect(hal.seed(0)).toBe(0);
});
