import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KeystoreDevice } from '../device/keystore-device.js';
import { accounts } from '../repository/vectors.js';
import type { BoardImage } from './board-image.js';

/** Size of the keystore's memory, as in firmware/boards/flags.mk. */
const KEYSTORE_MEMORY_BYTES = 16384;
const FIELD = /^\s+(u32|u64|struct Z_hal_instance_t\*) (?:w2c_g(\d+)|Z_hal_instance);$/gm;

/** Bytes to write at an address. */
export type Write = readonly [address: number, bytes: Uint8Array];

/**
 * Returns memory writes that open the keystore of an idle board without hundreds of presses. They copy the
 * memory and the globals of the same module on this machine, which was started with the same options, and
 * into which the vectors' words and a passphrase were entered.
 */
export function writesThatOpen(image: BoardImage, options: number, passphrase: string): Write[] {
  const device = deviceWithWords(options);
  device.enterPassphrase(passphrase);
  device.press('r');
  if (device.app.in_front() !== 0) throw new Error('the keystore is not open');
  return writesOf(image, device);
}

/**
 * Returns memory writes for the state in which only the words are entered. A press of the left key then
 * computes their seed without a passphrase.
 */
export function writesOfWords(image: BoardImage, options: number): Write[] {
  return writesOf(image, deviceWithWords(options));
}

function deviceWithWords(options: number): KeystoreDevice {
  const device = new KeystoreDevice({ options });
  device.press('rrb');
  device.enterWords(accounts.mnemonic);
  return device;
}

/**
 * Returns memory writes that copy the state of the module on this machine into the keystore of an idle board.
 */
export function writesOf(image: BoardImage, device: KeystoreDevice): Write[] {
  return [
    [image.symbol('keystore_memory'), device.memory.slice(0, KEYSTORE_MEMORY_BYTES)],
    ...globalWrites(image, device.globals),
  ];
}

export function wordOf(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

function longOf(value: number | bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return bytes;
}

/**
 * Returns writes of the module's globals. In the C code of wasm2c, they are the first fields of the instance.
 */
function globalWrites(image: BoardImage, globals: readonly (number | bigint)[]): Write[] {
  const header = readFileSync(join(image.directory, 'keystore.h'), 'utf8');
  const writes: Write[] = [];
  let offset = 0;
  for (const [, type, index] of header.matchAll(FIELD)) {
    const size = type === 'u64' ? 8 : 4;
    offset = Math.ceil(offset / size) * size;
    if (index !== undefined) {
      const value = globals[Number(index)]!;
      writes.push([image.symbol('keystore') + offset, size === 8 ? longOf(value) : wordOf(Number(value))]);
    }
    offset += size;
  }
  if (writes.length !== globals.length)
    throw new Error('keystore.h does not have one field for each global of the keystore');
  return writes;
}
