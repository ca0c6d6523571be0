// Runs the image of a Pico in its simulator. This terminal has the display and the buttons. USB/IP replaces
// the cable (docs/boards/pico.md#without-a-pico). With `--port 0`, the system chooses the port.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { emitKeypressEvents, type Key as Keypress } from 'node:readline';
import { parseArgs } from 'node:util';
import { drawScreen } from '@zbc-signer/emulator/screen-art';
import { createUsbipServer } from '@zbc-signer/emulator/usb';
import type { Key } from './driver.js';
import { PluggedPico, startReferenceEmulator } from './plugged-pico.js';

const DRAW_MS = 50;
const CLEAR = '\x1b[H\x1b[2J';
const BUTTONS: Readonly<Record<string, Key>> = {
  left: 'left',
  right: 'right',
  return: 'both',
  enter: 'both',
};
const HELP = 'Left and right arrow: the buttons. Enter: both. q: end.';

const { values } = parseArgs({ options: { port: { type: 'string', default: '3240' } } });
const { stdin, stdout } = process;

const emulator = await startReferenceEmulator();
const pico = new PluggedPico(emulator);
const usbip = createUsbipServer(pico);
usbip.listen(Number(values.port), '127.0.0.1');
await once(usbip, 'listening');
const { port } = usbip.address() as AddressInfo;

let shown: Uint8Array | undefined;
const drawing = setInterval(() => {
  const { frame } = pico;
  if (frame === undefined || (shown && Buffer.compare(frame, shown) === 0)) return;
  shown = frame;
  const faults = pico.faults.map(fault => `\nfault: ${fault}`).join('');
  stdout.write(
    `${stdout.isTTY ? CLEAR : ''}${drawScreen(frame)}\n${HELP} USB/IP on port ${port}.${faults}\n`,
  );
}, DRAW_MS);

let pressed: Promise<void> = Promise.resolve();
emitKeypressEvents(stdin);
if (stdin.isTTY) stdin.setRawMode(true);
stdin.on('keypress', (_text: string | undefined, { name = '', ctrl }: Keypress) => {
  const button = BUTTONS[name];
  if (name === 'q' || (ctrl === true && name === 'c')) end();
  else if (button) pressed = pressed.then(() => pico.press(button));
});
stdin.on('end', end);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);

function end(): void {
  clearInterval(drawing);
  pico.close();
  emulator.stop();
  usbip.closeSockets();
  if (stdin.isTTY) stdin.setRawMode(false);
  // The process exits explicitly, because a button press may still be waiting for the simulator.
  process.exit();
}
