import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { EmulatorError } from '../errors.js';

const NAME_DIGITS = 16;

/**
 * Reserves a real device, which serves one test at a time; returns a function that releases it. Throws
 * DEVICE_TAKEN.
 */
export function lockDevice(device: string): () => void {
  // The names `hid` and `usb` mean the same device, over two interfaces.
  const name = createHash('sha256').update(device.toLowerCase().replace(/^usb/, 'hid')).digest('hex');
  const path = join(tmpdir(), `zbc-signer-${userInfo().username}-${name.slice(0, NAME_DIGITS)}.lock`);
  const release = () => rmSync(path, { force: true });
  for (let tries = 0; tries < 2; tries++) {
    try {
      writeFileSync(path, `${process.pid}`, { flag: 'wx', mode: 0o600 });
      process.once('exit', release);
      return () => {
        process.off('exit', release);
        release();
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = Number(readFileSync(path, 'utf8'));
      if (isAlive(owner)) throw takenError(owner);
      release();
    }
  }
  throw takenError(undefined);
}

function takenError(owner: number | undefined): EmulatorError {
  const message =
    owner === process.pid
      ? 'an earlier emulator on the real device has not been stopped'
      : `the real device is in use by process ${owner ?? '(id unknown)'}; run one test file at a time (jest --runInBand)`;
  return new EmulatorError('DEVICE_TAKEN', message);
}

/** Whether a process exists, of any user. */
function isAlive(pid: number): boolean {
  // If a process was killed before it wrote its id, the file is empty; the id 0 would mean the group of this
  // process.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
