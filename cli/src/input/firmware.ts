import { UsageError } from '../errors/errors.js';
import { readBytes } from './files.js';

const VERSION = /^v?\d+(\.\d+)*$/;
const MAX_FIRMWARE_BYTES = 1024 * 1024;

export const FIRMWARE_OPTION = {
  firmware: {
    describe: 'released version, such as 1.0.0, or WASM file to run [the shipped firmware]',
  },
} as const;

/** The bytes of --firmware; throws UsageError. */
export async function readFirmwareOption(
  path: string | undefined,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  if (!VERSION.test(path)) return readBytes('the firmware', path, MAX_FIRMWARE_BYTES, signal);
  const { readRelease, releasedVersions } = await import('@zbc-signer/emulator/trace');
  const kept = releasedVersions();
  if (!kept.includes(path)) throw new UsageError(`--firmware must be a file, or one of ${kept.join(', ')}`);
  return readRelease(path);
}

/** Turns an error from a --firmware file into a usage error, because it is not a bug of this program. */
export function explainFirmwareError(error: unknown, path: string | undefined): unknown {
  const isFirmwareError =
    Reflect.get(Object(error), 'code') === 'FIRMWARE_CRASH' ||
    /^(Compile|Link)Error$/.test(`${Reflect.get(Object(error), 'name')}`);
  return path !== undefined && isFirmwareError
    ? new UsageError(`${path} is not a firmware of the signer: ${(error as Error).message}`)
    : error;
}
