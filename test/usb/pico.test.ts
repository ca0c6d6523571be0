import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Emulator } from '@zbc-signer/emulator';
import { createUsbipServer } from '@zbc-signer/emulator/usb';
import type { Key } from '../../testkit/boards/driver.js';
import { FLASH_ID } from '../../testkit/boards/flash-chip.js';
import { PluggedPico, startReferenceEmulator } from '../../testkit/boards/plugged-pico.js';
import { runInGuest } from '../../testkit/guest/guest.js';
import type { Project } from '../../testkit/packages/project.js';
import { endProcess, type StartedChild, startScript } from '../../testkit/process/child.js';
import { PROGRAM } from '../../testkit/process/program.js';
import { installPublished } from './published.js';

const SERIAL = Buffer.from(FLASH_ID).toString('hex').toUpperCase();
const LIMIT_MS = 400_000;

let pico: PluggedPico;
let usbip: ReturnType<typeof createUsbipServer>;
let buttons: Server;
let devnet: StartedChild;
let project: Project;

/** The part of the emulator's REST API that a guest uses: presses, and the texts on the screen. */
function serveButtons(emulator: Emulator): Server {
  return createServer(async (request, response) => {
    const [, key] = /^\/button\/(left|right|both)$/.exec(request.url!) ?? [];
    if (key) await pico.press(key as Key);
    else await pico.isShown();
    response.end(JSON.stringify({ events: emulator.texts().map(text => ({ text })) }));
  });
}

const listen = async (server: {
  listen(port: number, host: string, done: () => void): unknown;
  address(): unknown;
}) => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

beforeAll(async () => {
  const emulator = await startReferenceEmulator();
  pico = new PluggedPico(emulator);
  usbip = createUsbipServer(pico);
  buttons = serveButtons(emulator);
  devnet = await startScript(PROGRAM, [
    'devnet',
    '--named-chain',
    '--port',
    '0',
    '--block-time',
    '0.5',
    '--json',
  ]);
  project = installPublished();
}, 180_000);

afterAll(async () => {
  pico.close();
  usbip.closeSockets();
  usbip.close();
  buttons.closeAllConnections();
  buttons.close();
  await endProcess(devnet, 'SIGTERM');
  project.remove();
});

test(
  "the Pico's image signs in Debian's kernel for the published packages, through the gateway",
  async () => {
    const gateway = new URL(JSON.parse(devnet.line).url).port;
    const emulator = [await listen(buttons), await listen(usbip), SERIAL].join(',');
    const program = `${project.directory}/test/usb/guest/pico.js ${emulator} ${gateway}`;
    // A host gives up a silent device after four seconds. Therefore the host's clock waits for the simulator.
    const onStart = (setRunning: NonNullable<typeof pico.setHostRunning>) => {
      pico.setHostRunning = setRunning;
    };
    const output = await runInGuest(`${process.execPath} --test-reporter=spec ${program}`, LIMIT_MS, {
      onStart,
    });
    process.stdout.write(output);
    expect(output).toMatch(/fail 0\b/);
    expect(output).toMatch(/skipped 0\b/);
    expect(pico.faults).toEqual([]);
  },
  LIMIT_MS + 10_000,
);
