import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FirmwareMissingError } from '../errors.js';
import { compileModule } from './webassembly.js';

export const FIRMWARE_FILE = fileURLToPath(new URL('../zbc-signer.wasm', import.meta.url));
/** Maps the firmware's instructions to the AssemblyScript sources. */
export const SOURCE_MAP_FILE = fileURLToPath(new URL('../zbc-signer.lines.json', import.meta.url));

const RELEASES = fileURLToPath(new URL('../../releases/', import.meta.url));

let firmware: WebAssembly.Module | undefined;

/** The shipped firmware, compiled once per process; throws FirmwareMissingError. */
export function loadFirmware(): WebAssembly.Module {
  firmware ??= compileFirmware(FIRMWARE_FILE);
  return firmware;
}

/** Throws FirmwareMissingError if the file does not exist. */
export function compileFirmware(path: string): WebAssembly.Module {
  return compileModule(readSynchronously(path));
}

/** The bytes of the shipped firmware, or of another file; throws FirmwareMissingError. */
export async function readFirmware(path = FIRMWARE_FILE): Promise<Uint8Array> {
  return readSynchronously(path);
}

/** The released versions whose modules this package contains. */
export const releasedVersions = (): string[] =>
  readdirSync(RELEASES).map(name => name.replace(/\.wasm$/, ''));

/** The module of a released version; throws FirmwareMissingError. */
export const readRelease = (version: string): Promise<Uint8Array> =>
  readFirmware(join(RELEASES, `${version}.wasm`));

/** Reads without the thread pool, because starting the pool takes longer than starting the emulator. */
function readSynchronously(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new FirmwareMissingError(path) : error;
  }
}
