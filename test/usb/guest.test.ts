import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EmulatorServer, startEmulatorServer } from '@zbc-signer/emulator';
import { runInGuest } from '../../testkit/guest/guest.js';
import { HoldingRelay } from '../../testkit/guest/holding-relay.js';
import { obtainKernel } from '../../testkit/guest/kernel.js';
import type { Project } from '../../testkit/packages/project.js';
import { installPublished } from './published.js';

const PROGRAMS = ['access', 'transports', 'readme'];
const SERIALS = ['FIRST01', 'SECOND2'];
/** Two minutes are enough for it where nothing else runs. */
const GUEST_MS = 900_000;
const OTHER_SEED = `hex:${'5a'.repeat(64)}`;

let servers: EmulatorServer[];
let relay: HoldingRelay;
let project: Project;
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
  servers = [await start(SERIALS[0]!), await start(SERIALS[1]!, OTHER_SEED)];
  relay = await HoldingRelay.start(servers[0]!.usbipPort!);
  project = installPublished();
}, GUEST_MS);
afterAll(async () => {
  project.remove();
  await Promise.all(servers.map(server => server.close()));
  await relay.close();
});

/** With udevd, in whose directory of rules the guest may write, and with modprobe for the guest's kernel. */
function commands(): string[] {
  const held = [relay.port, relay.controlPort];
  const emulators = servers.map(({ api, usbipPort }, at) => {
    const [port, holdPort] = at === 0 ? held : [usbipPort];
    return [new URL(api).port, port, SERIALS[at], holdPort].join(',');
  });
  const run = `${process.execPath} --test-reporter=spec ${project.directory}/test/usb/guest`;
  return [
    'mount -t tmpfs tmp /etc/udev/rules.d',
    '/lib/systemd/systemd-udevd --daemon',
    `export MODPROBE_OPTIONS='-d ${obtainKernel().directory}'`,
    ...PROGRAMS.map(name => `${run}/${name}.js ${emulators.join(' ')}`),
  ];
}

test(
  "Debian's kernel and udevd, node-hid, usb and the published packages drive the emulator over USB",
  async () => {
    const programs = readdirSync(join(project.directory, 'test/usb/guest'));
    expect(programs).toEqual(expect.arrayContaining(PROGRAMS.map(name => `${name}.js`)));
    const output = await runInGuest(commands().join(' && '), GUEST_MS);
    process.stdout.write(output);
    expect(output.match(/fail 0\b/g)).toHaveLength(PROGRAMS.length);
    expect(output).toMatch(/skipped 0\b/);
  },
  GUEST_MS + 60_000,
);
