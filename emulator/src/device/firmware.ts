import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FirmwareMissingError } from '../errors.js';
import { compileModule } from './webassembly.js';

const FIRMWARE_FILE = fileURLToPath(new URL('../zbc-signer.wasm', import.meta.url));

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

/** Reads without the thread pool, because starting the pool takes longer than starting the emulator. */
function readSynchronously(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new FirmwareMissingError(path) : error;
  }
}
