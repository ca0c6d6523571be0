import { type SpawnOptions, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HidTransport, listDevices, UsbTransport, type UsbTransportName } from '@zbc-signer/host/node';
import { attach, detach, HOST_ADDRESS } from '../../../testkit/guest/attach.js';
import { RemoteEmulator } from './emulator-remote.js';

const CLI = fileURLToPath(new URL('../../../node_modules/.bin/zbc-signer', import.meta.url));

/** The two emulators outside the guest, given as arguments. */
export const [first, second] = process.argv.slice(2, 4).map(text => {
  const [api, usbip, serial, hold] = text.split(',') as [string, string, string, string];
  return new RemoteEmulator(HOST_ADDRESS, Number(api), Number(usbip), serial, Number(hold));
}) as [RemoteEmulator, RemoteEmulator];

const ports = new Map<RemoteEmulator, number>();

export async function plugIn(emulator: RemoteEmulator): Promise<void> {
  ports.set(emulator, await attach(HOST_ADDRESS, emulator.usbipPort));
  await until(async () => (await serials('hid')).includes(emulator.serialNumber));
  await until(async () => (await serials('usb')).includes(emulator.serialNumber));
}

/** Unplugs at once, without waiting. */
export function pull(emulator: RemoteEmulator): void {
  detach(ports.get(emulator)!);
}

export async function unplug(emulator: RemoteEmulator): Promise<void> {
  pull(emulator);
  await untilGone(emulator);
}

export async function untilGone(emulator: RemoteEmulator): Promise<void> {
  await until(async () => !(await serials('hid')).includes(emulator.serialNumber));
  await until(async () => !(await serials('usb')).includes(emulator.serialNumber));
}

export const serials = async (transport: UsbTransportName) =>
  (await listDevices({ transport })).map(({ serialNumber }) => serialNumber);

export function open(
  transport: UsbTransportName,
  { serialNumber }: RemoteEmulator,
): HidTransport | UsbTransport {
  return transport === 'hid' ? new HidTransport({ serialNumber }) : new UsbTransport({ serialNumber });
}

/** Waits until the condition holds; only the test's own time limit ends the wait. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 20));
}

/** A command in the guest takes seconds. */
const STUCK_MS = 120_000;

interface CliResult {
  code: number | null;
  stdout: string;
}

export function runCli(words: string[], options: SpawnOptions = {}): Promise<CliResult> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [CLI, ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...options,
    });
    let stdout = '';
    child.stdout?.on('data', chunk => {
      stdout += chunk;
    });
    const timer = setTimeout(() => {
      console.error(`${words.join(' ')} does not end: ${waitsOf(child.pid!).join(', ')}`);
      child.kill('SIGKILL');
    }, STUCK_MS);
    child.on('close', code => {
      clearTimeout(timer);
      resolve({ code, stdout });
    });
  });
}

/** The kernel functions in which a process's threads wait. */
function waitsOf(pid: number): string[] {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).map(thread => readFileSync(`${threads}/${thread}/wchan`, 'utf8'));
}
