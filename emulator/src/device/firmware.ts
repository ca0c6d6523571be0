import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FirmwareMissingError } from '../errors.js';
import { compileModule } from './webassembly.js';

/** The module that ships. */
export const FIRMWARE_FILE = fileURLToPath(new URL('../zbc-signer.wasm', import.meta.url));
/** Where in the AssemblyScript sources its instructions come from. */
export const SOURCE_MAP_FILE = fileURLToPath(new URL('../zbc-signer.lines.json', import.meta.url));

const RELEASES = fileURLToPath(new URL('../../releases/', import.meta.url));

let firmware: WebAssembly.Module | undefined;

/** The shipped firmware, compiled once a process; throws FirmwareMissingError. */
export function loadFirmware(): WebAssembly.Module {
  firmware ??= compileFirmware(FIRMWARE_FILE);
  return firmware;
}

/** Throws FirmwareMissingError when there is no such file. */
export function compileFirmware(path: string): WebAssembly.Module {
  return compileModule(readSynchronously(path));
}

/** The bytes of the shipped firmware, or of another file; throws FirmwareMissingError. */
export async function readFirmware(path = FIRMWARE_FILE): Promise<Uint8Array> {
  return readSynchronously(path);
}

/** The versions that were released, whose modules are kept. */
export const releasedVersions = (): string[] =>
  readdirSync(RELEASES).map(name => name.replace(/\.wasm$/, ''));

/** The module of a version that was released; throws FirmwareMissingError. */
export const readRelease = (version: string): Promise<Uint8Array> =>
  readFirmware(join(RELEASES, `${version}.wasm`));

/** Not through the thread pool, whose start takes longer than the rest of an emulator's. */
function readSynchronously(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new FirmwareMissingError(path) : error;
  }
}
