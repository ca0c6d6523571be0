import { fileURLToPath } from 'node:url';
import { type EmulatorServer, startEmulatorServer } from '@zbc-signer/emulator';
import { runInGuest } from '../../testkit/guest/guest.js';

const PROGRAM = fileURLToPath(new URL('./guest/main.js', import.meta.url));
const OTHER_SEED = `hex:${'5a'.repeat(64)}`;

let servers: EmulatorServer[];
beforeAll(async () => {
  const start = (serialNumber: string, seed?: string) =>
    startEmulatorServer({
      apiPort: 'auto',
      apduPort: 0,
      ledgerPort: 0,
      usbipPort: 'auto',
      usb: { serialNumber },
      seed,
    });
  servers = [await start('FIRST01'), await start('SECOND2', OTHER_SEED)];
});
afterAll(async () => {
  await Promise.all(servers.map(server => server.close()));
});

test("Debian's kernel, node-hid and the host library drive the emulator over USB", async () => {
  const arguments_ = servers.map(({ api, usbipPort }, at) =>
    [new URL(api).port, usbipPort, ['FIRST01', 'SECOND2'][at]].join(','),
  );
  const output = await runInGuest(
    `${process.execPath} --test-reporter=spec ${PROGRAM} ${arguments_.join(' ')}`,
    170_000,
  );
  process.stdout.write(output);
  expect(output).toMatch(/pass 10\b/);
  expect(output).toMatch(/fail 0\b/);
}, 180_000);
