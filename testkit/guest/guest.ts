import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { connect } from '../boards/qemu/machine.js';
import { Qmp } from '../boards/qemu/qmp.js';
import { root } from '../repository/repository.js';
import { makeInitramfs } from './initramfs.js';
import { obtainKernel } from './kernel.js';

const MODULES = [
  'virtio_pci',
  'virtio_net',
  '9p',
  '9pnet_virtio',
  'usbcore',
  'vhci-hcd',
  'usbhid',
  'hid-generic',
];
const PASS = 33;

const MACHINE = [
  ...['-M', 'pc', '-accel', 'tcg,thread=multi,tb-size=512', '-cpu', 'qemu64'],
  ...['-nodefaults', '-display', 'none', '-no-reboot', '-serial', 'stdio'],
  ...['-device', 'isa-debug-exit,iobase=0xf4,iosize=4'],
  ...['-device', 'virtio-net-pci,netdev=net,romfile='],
];

interface GuestOptions {
  memoryMb?: number;
  /** Number of cores. A guest that runs only one process is fastest with one core. */
  cores?: number;
  /** Ports of this machine's loopback interface, each with the port of the guest to which it forwards. */
  forwards?: readonly (readonly [port: number, guestPort: number])[];
  /** Called with a function that stops or resumes the time of the guest. */
  onStart?: (setRunning: (isRunning: boolean) => Promise<void>) => void;
}

/** Returns the options of QEMU that share a directory of this machine. The guest mounts it by its tag. */
function share(tag: string, path: string, access: string): string[] {
  const device = `local,id=${tag},path=${path},security_model=none,${access}`;
  return ['-fsdev', device, '-device', `virtio-9p-pci,fsdev=${tag},mount_tag=${tag}`];
}

/**
 * Boots Debian's kernel in QEMU, and runs a shell command there as root. The guest uses the file system of
 * this machine, which is read-only except for /run. Resolves with the output of the command. Rejects if the
 * command fails, if the guest does not start, or after `limitMs`.
 */
export async function runInGuest(
  command: string,
  limitMs: number,
  { memoryMb = 1024, cores = 1, forwards = [], onStart }: GuestOptions = {},
): Promise<string> {
  const kernel = obtainKernel();
  const directory = mkdtempSync(join(tmpdir(), 'zbc-guest-'));
  try {
    const initramfs = join(directory, 'initramfs');
    writeFileSync(initramfs, makeInitramfs(kernel, MODULES, join(root, 'testkit/guest/init.sh')));
    writeFileSync(join(directory, 'command'), command);
    const arguments_ = [
      ...MACHINE,
      ...['-smp', `${cores}`, '-m', `${memoryMb}`],
      ...['-netdev', ['user,id=net', ...forwards.map(forward)].join(',')],
      ...['-kernel', kernel.image, '-initrd', initramfs],
      ...['-append', 'console=ttyS0 quiet panic=-1 mitigations=off no_timer_check'],
      ...share('host', '/', 'readonly=on,multidevs=remap'),
      ...share('out', directory, 'multidevs=remap'),
    ];
    const monitor = join(directory, 'monitor');
    if (onStart) arguments_.push('-qmp', `unix:${monitor},server=on,wait=off`);
    const machine = spawn('qemu-system-x86_64', arguments_, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = untilEnd(machine, limitMs);
    if (onStart) void giveClock(monitor, machine, onStart).catch(() => undefined);
    return await ended;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function forward([port, guestPort]: readonly [number, number]): string {
  return `hostfwd=tcp:127.0.0.1:${port}-:${guestPort}`;
}

async function giveClock(
  monitor: string,
  machine: ChildProcess,
  onStart: NonNullable<GuestOptions['onStart']>,
): Promise<void> {
  const qmp = await Qmp.on(await connect(monitor, machine));
  onStart(async isRunning => void (await qmp.do(isRunning ? 'cont' : 'stop')));
}

function untilEnd(machine: ChildProcessByStdio<null, Readable, Readable>, limitMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => machine.kill('SIGKILL'), limitMs);
    let output = '';
    const keep = (chunk: Buffer) => {
      output += chunk;
    };
    machine.stdout.on('data', keep);
    machine.stderr.on('data', keep);
    machine.once('error', reject);
    machine.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === PASS) resolve(output);
      else reject(new Error(`the guest exited with ${signal ?? code}, expected ${PASS}\n${output}`));
    });
  });
}
