import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BoardImage } from './board-image.js';
import { STORED_BYTES, type Storage } from './driver.js';
import { emptyStorage } from './storage.js';

/** The image of a Pico. */
export const image = new BoardImage('pico');

export const FLASH_BYTES = 2 << 20;
/** The sector in which older firmware kept a seed. */
export const OLD_SEED_SECTOR = FLASH_BYTES - 3 * 4096;
const SETTINGS_SECTORS = [FLASH_BYTES - 2 * 4096, FLASH_BYTES - 4096] as const;

const FLASH_START = 0x10000000;
const BLOCK = 512;
const BLOCKS_PER_SECTOR = 16;

/**
 * Writes a UF2 file into flash like the boot ROM of the RP2040. At every block whose number is a multiple of
 * 16, it erases the sector of that block's address (RP2040-E14). Programming only changes bits from 1 to 0.
 */
export function applyUf2(flash: Uint8Array, file: Uint8Array): void {
  const blocks = Buffer.from(file);
  const erased = new Set<number>();
  for (let at = 0; at < blocks.length; at += BLOCK) {
    const word = (index: number) => blocks.readUInt32LE(at + 4 * index);
    const header = [word(0), word(1), word(2), word(4), word(7), blocks.readUInt32LE(at + BLOCK - 4)];
    deepEqual(header, [0x0a324655, 0x9e5d5157, 0x2000, 256, 0xe48bff56, 0x0ab16f30]);
    deepEqual([word(5), word(6)], [at / BLOCK, blocks.length / BLOCK]);
    const offset = word(3) - FLASH_START;
    const sector = offset & ~4095;
    const group = Math.floor(word(5) / BLOCKS_PER_SECTOR);
    if (!erased.has(group)) flash.fill(0xff, sector, sector + 4096);
    erased.add(group);
    for (let byte = 0; byte < 256; byte++) flash[offset + byte]! &= blocks[at + 32 + byte]!;
  }
}

/** Reads a file of the image's directory. */
export function readBuilt(name: string): Uint8Array {
  return readFileSync(join(image.directory, name));
}

/** Returns the content of an erased flash after a UF2 file was written to it. */
function flashWithImage(file: string): Uint8Array {
  const flash = new Uint8Array(FLASH_BYTES).fill(0xff);
  applyUf2(flash, readBuilt(file));
  return flash;
}

/** Returns the content of flash with the image and its stored data. The default is no stored data. */
export function flashWith(storage: Storage = emptyStorage(), file = 'zbc-signer.uf2'): Uint8Array {
  const flash = flashWithImage(file);
  storage.settings.forEach((sector, index) => {
    flash.set(sector, SETTINGS_SECTORS[index]!);
  });
  return flash;
}

export function storageIn(flash: Uint8Array): Storage {
  const sector = (at: number) => flash.slice(at, at + STORED_BYTES);
  return { settings: [sector(SETTINGS_SECTORS[0]), sector(SETTINGS_SECTORS[1])] };
}

export function symbol(name: string): number {
  return image.symbol(name);
}
