import { UsageError } from '../errors/errors.js';
import { readBytes } from './files.js';

const MAX_FIRMWARE_BYTES = 1024 * 1024;

export const FIRMWARE_OPTION = {
  firmware: {
    describe: 'WASM file to run [the shipped firmware]',
  },
} as const;

/** The bytes of --firmware; throws UsageError. */
export async function readFirmwareOption(
  path: string | undefined,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  return readBytes('the firmware', path, MAX_FIRMWARE_BYTES, signal);
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
