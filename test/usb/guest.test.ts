import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EmulatorServer, type EmulatorServerOptions, startEmulatorServer } from '@zbc-signer/emulator';
import { runInGuest } from '../../testkit/guest/guest.js';
import { HoldingRelay } from '../../testkit/guest/holding-relay.js';
import { obtainKernel } from '../../testkit/guest/kernel.js';
import type { Project } from '../../testkit/packages/project.js';
import { firmwareWithDisplayFault } from '../../testkit/screen/display-fault.js';
import { COMPLAINT } from '../../testkit/screen/person.js';
import { GuestUser } from './guest-user.js';
import { installPublished } from './published.js';

const PROGRAMS = ['access', 'transports', 'readme'];
const SERIALS = ['FIRST01', 'SECOND2'];
/** The person's devices: one without a fault, and one with a wrong pixel. */
const DEVICES = ['RIGHT01', 'FAULTY2'];
/** Two minutes are enough on an idle machine. */
const GUEST_MS = 900_000;
const OTHER_SEED = `hex:${'5a'.repeat(64)}`;

let servers: EmulatorServer[];
let forPerson: EmulatorServer[];
let person: GuestUser;
let relay: HoldingRelay;
let project: Project;
beforeAll(async () => {
  const start = (serialNumber: string, other: Pick<EmulatorServerOptions, 'seed' | 'module'> = {}) =>
    startEmulatorServer({
      apiPort: 'auto',
      apduPort: 0,
      ledgerPort: 0,
      usbipPort: 'auto',
      usb: { serialNumber },
      ...other,
    });
  servers = [await start(SERIALS[0]!), await start(SERIALS[1]!, { seed: OTHER_SEED })];
  const module = await WebAssembly.compile(firmwareWithDisplayFault('A'));
  forPerson = [await start(DEVICES[0]!), await start(DEVICES[1]!, { module })];
  relay = await HoldingRelay.start(servers[0]!.usbipPort!);
  person = await GuestUser.start(new Map(DEVICES.map((name, at) => [name, forPerson[at]!])));
  project = installPublished();
  project.install(['emulator'], [], { strict: false });
}, GUEST_MS);
afterAll(async () => {
  project.remove();
  await Promise.all([...servers, ...forPerson].map(server => server.close()));
  await relay.close();
  await person.close();
});

/** Commands of the guest, which has udevd with writable rules, and modprobe for its kernel. */
function commands(): string[] {
  const held = [relay.port, relay.controlPort];
  const emulators = servers.map(({ api, usbipPort }, at) => {
    const [port, holdPort] = at === 0 ? held : [usbipPort];
    return [new URL(api).port, port, SERIALS[at], holdPort].join(',');
  });
  const attended = forPerson.map(({ api, usbipPort }, at) =>
    [new URL(api).port, usbipPort, DEVICES[at]].join(','),
  );
  const run = `${process.execPath} --test-reporter=spec ${project.directory}/test/usb/guest`;
  const onTerminal = person.command(`env ZBC_SIGNER_DEVICE=hid ${run}/person.js ${attended.join(' ')}`);
  return [
    'mount -t tmpfs tmp /etc/udev/rules.d',
    '/lib/systemd/systemd-udevd --daemon',
    `export MODPROBE_OPTIONS='-d ${obtainKernel().directory}'`,
    ...PROGRAMS.map(name => `${run}/${name}.js ${emulators.join(' ')}`),
    'mkdir -p /dev/pts',
    'mount -t devpts devpts /dev/pts',
    // Two of the tests in person.js must fail, so its exit code must be 1.
    `{ ${onTerminal}; test $? = 1; }`,
  ];
}

test(
  "Debian's kernel and udevd, node-hid, usb, the published packages and a person drive the emulator over USB",
  async () => {
    const programs = readdirSync(join(project.directory, 'test/usb/guest'));
    expect(programs).toEqual(expect.arrayContaining(PROGRAMS.map(name => `${name}.js`)));
    const decisions: string[] = [];
    forPerson[0]!.emulator.on('decision', reply => {
      decisions.push(Buffer.from(reply).toString('hex').slice(-4));
    });
    const output = await runInGuest(commands().join(' && '), GUEST_MS).catch(error => {
      process.stdout.write(person.shown);
      throw error;
    });
    process.stdout.write(output);
    expect(output.match(/fail 0\b/g)).toHaveLength(PROGRAMS.length);
    expect(output).toMatch(/skipped 0\b/);

    const { shown } = person;
    process.stdout.write(`Of the person's tests: ${/duration_ms [\d.]+/.exec(shown)}\n`);
    expect(shown).toMatch(/pass 2\n.*fail 2\n/);
    expect(shown).toMatch(/✔ signs what was approved[\s\S]*✔ signs nothing that was rejected/);
    expect(shown).toMatch(/✖ fails: a wrong pixel[\s\S]*✖ fails: unplugged in a review/);
    expect(shown).toContain('the user says that the display does not show "Address');
    expect(shown).toContain(`it shows: ${COMPLAINT}`);
    expect(shown).toContain('DEVICE_DISCONNECTED');
    expect(shown).toContain('These tests run on the device hid, as ZBC_SIGNER_DEVICE says.');
    expect([decisions, forPerson[1]!.emulator.reviewing]).toEqual([['9000', '6985'], false]);
  },
  GUEST_MS + 60_000,
);
