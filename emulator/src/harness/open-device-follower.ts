import { openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import { TEST_MNEMONIC } from '@zbc-signer/chain';
import { EmulatorError } from '../errors.js';
import { openRealDevice } from '../real-device/open.js';
import { TerminalUser } from '../real-device/user.js';
import { closing, DeviceFollower } from './device-follower.js';
import { lockDevice } from './device-lock.js';
import type { EmulatorOptions } from './emulator-options.js';

/**
 * Opens the real device that the option `device` or ZBC_SIGNER_DEVICE names. Throws NOT_ON_DEVICE,
 * DEVICE_TAKEN, NO_TERMINAL, or an error of openRealDevice.
 */
export async function openDeviceFollower(options: EmulatorOptions, device: string): Promise<DeviceFollower> {
  checkDeviceOptions(options);
  await closing;
  const closers = [lockDevice(device)];
  const release = () => {
    for (const close of closers.reverse()) close();
  };
  const ended = new AbortController();
  let user: TerminalUser | undefined;
  let follower: DeviceFollower | undefined;
  const openUser = () => {
    const terminal = openPersonTerminal();
    user = new TerminalUser({ ...terminal, onInterrupt: () => void follower?.interrupt() }, ended.signal);
    closers.push(
      () => terminal.close(),
      () => user?.close(),
    );
    return user;
  };
  try {
    const real = await openRealDevice({ device, signal: ended.signal, openUser });
    closers.push(() => real.close());
    follower = new DeviceFollower(real, user, ended, release);
    return follower;
  } catch (error) {
    release();
    throw error;
  }
}

/** Throws NOT_ON_DEVICE for options that a real device does not support. */
function checkDeviceOptions(options: EmulatorOptions): void {
  const { seed = TEST_MNEMONIC } = options;
  if (seed !== TEST_MNEMONIC) throw notOnDevice('a seed other than the test mnemonic');
  const given = (['settings', 'module'] as const).find(name => options[name] !== undefined);
  if (given !== undefined) throw notOnDevice(`the option "${given}"`);
}

function notOnDevice(what: string): EmulatorError {
  return new EmulatorError('NOT_ON_DEVICE', `a real device does not support ${what}`);
}

/** The terminal of this process, even if a test runner has redirected its standard streams. */
interface PersonTerminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream & { columns?: number };
  close(): void;
}

/** Throws NO_TERMINAL if this process has no terminal. */
function openPersonTerminal(): PersonTerminal {
  try {
    const input = new ReadStream(openSync(process.platform === 'win32' ? 'CONIN$' : '/dev/tty', 'r'));
    const output = new WriteStream(openSync(process.platform === 'win32' ? 'CONOUT$' : '/dev/tty', 'w'));
    return {
      input,
      output,
      close() {
        input.destroy();
        output.destroy();
      },
    };
  } catch (cause) {
    const message = 'this process has no terminal on which it can ask for presses: run it in a terminal';
    throw new EmulatorError('NO_TERMINAL', message, { cause });
  }
}
