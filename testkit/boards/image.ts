import { pbkdf2Sync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addSeed, findBoard, writeImageFile } from '@zbc-signer/image';
import { readSymbols } from '../../tools/image/symbols.js';
import { root } from '../repository.js';
import { accounts } from '../vectors.js';

/** Where the images under test are; the trials of planted faults set another folder. */
const FOLDER = process.env.ZBC_BOARD_IMAGE ?? join(root, 'dist/boards/pico');

export const FLASH_BYTES = 2 << 20;
export const SEED_SECTOR = FLASH_BYTES - 3 * 4096;
export const SETTINGS_SECTORS = [FLASH_BYTES - 2 * 4096, FLASH_BYTES - 4096] as const;

const FLASH_START = 0x10000000;
const BLOCK = 512;

/** Writes a UF2 file into flash as the boot ROM does: whole sectors are erased first. */
function applyUf2(flash: Uint8Array, file: Uint8Array): void {
  const blocks = Buffer.from(file);
  const erased = new Set<number>();
  for (let at = 0; at < blocks.length; at += BLOCK) {
    const word = (index: number) => blocks.readUInt32LE(at + 4 * index);
    const header = [word(0), word(1), word(2), word(4), word(7), blocks.readUInt32LE(at + BLOCK - 4)];
    expect(header).toEqual([0x0a324655, 0x9e5d5157, 0x2000, 256, 0xe48bff56, 0x0ab16f30]);
    expect([word(5), word(6)]).toEqual([at / BLOCK, blocks.length / BLOCK]);
    const offset = word(3) - FLASH_START;
    const sector = offset & ~4095;
    if (!erased.has(sector)) flash.fill(0xff, sector, sector + 4096);
    erased.add(sector);
    flash.set(blocks.subarray(at + 32, at + 32 + 256), offset);
  }
}

/** An empty flash into which the image was copied. */
export function flashWithImage(): Uint8Array {
  const flash = new Uint8Array(FLASH_BYTES).fill(0xff);
  applyUf2(flash, readFileSync(join(FOLDER, 'zbc-signer.uf2')));
  return flash;
}

/** The seed of the vectors' mnemonic. */
export const TEST_SEED = new Uint8Array(pbkdf2Sync(accounts.mnemonic, 'mnemonic', 2048, 64, 'sha512'));

/** A flash with the image and a seed, each copied to it as a UF2 file. */
export function provisionedFlash(seed: Uint8Array = TEST_SEED): Uint8Array {
  const flash = flashWithImage();
  const pico = findBoard('pico')!;
  applyUf2(flash, writeImageFile(addSeed({ format: 'uf2', segments: [], start: [] }, pico, seed), pico));
  return flash;
}

const symbols = readSymbols(join(FOLDER, 'zbc-signer.sym'));

export function symbol(name: string): number {
  const address = symbols.get(name);
  if (address === undefined) throw new Error(`the image has no ${name}`);
  return address;
}
