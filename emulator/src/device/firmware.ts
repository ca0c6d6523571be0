import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EmulatorError } from '../errors.js';
import { compileModule } from './webassembly.js';

const FIRMWARE_FILE = fileURLToPath(new URL('../zbc-signer.wasm', import.meta.url));
const KEYSTORE_FILE = fileURLToPath(new URL('../zbc-keystore.wasm', import.meta.url));

let firmware: WebAssembly.Module | undefined;
let keystore: WebAssembly.Module | undefined;

/** The shipped firmware, compiled once per process; throws FIRMWARE_MISSING. */
export function loadFirmware(): WebAssembly.Module {
  firmware ??= compileFirmware(FIRMWARE_FILE);
  return firmware;
}

/** The shipped keystore, compiled once per process; throws FIRMWARE_MISSING. */
export function loadKeystore(): WebAssembly.Module {
  keystore ??= compileFirmware(KEYSTORE_FILE);
  return keystore;
}

/** Throws FIRMWARE_MISSING if the file does not exist. */
export function compileFirmware(path: string): WebAssembly.Module {
  return compileModule(readSynchronously(path));
}

/** Reads without the thread pool, because starting the pool takes longer than starting the emulator. */
function readSynchronously(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const message = `the firmware is not built: ${path} is missing; run "make build"`;
    throw new EmulatorError('FIRMWARE_MISSING', message);
  }
}
