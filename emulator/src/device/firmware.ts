import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import './webassembly.js';
import { FirmwareMissingError } from '../errors.js';

/** The module that ships. */
export const FIRMWARE_FILE = fileURLToPath(new URL('../zbc-signer.wasm', import.meta.url));
/** Where in the AssemblyScript sources its instructions come from. */
export const SOURCE_MAP_FILE = fileURLToPath(new URL('../zbc-signer.lines.json', import.meta.url));

let firmware: Promise<WebAssembly.Module> | undefined;

/** The shipped firmware, compiled once a process; a failure is not remembered. */
export function loadFirmware(): Promise<WebAssembly.Module> {
  firmware ??= compileFirmware(FIRMWARE_FILE).catch(error => {
    firmware = undefined;
    throw error;
  });
  return firmware;
}

/** Throws FirmwareMissingError when there is no such file. */
export async function compileFirmware(path: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFirmware(path));
}

/** The bytes of the shipped firmware, or of another file; throws FirmwareMissingError. */
export async function readFirmware(path = FIRMWARE_FILE): Promise<Uint8Array> {
  return readFile(path).catch(error => {
    throw error.code === 'ENOENT' ? new FirmwareMissingError(path) : error;
  });
}
