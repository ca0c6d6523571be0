import { crc32 } from 'node:zlib';
import { toUf2 } from './uf2.js';

const MARK = 'ZBCS';
const FLASH_BYTES = 2 << 20;
const SECTOR = 4096;

/** Where a Pico keeps its seed: the third sector from the end of flash (firmware/boards/pico/flash.c). */
const PICO_SEED_OFFSET = FLASH_BYTES - 3 * SECTOR;

/** The start of a board's seed sector: a mark, a number that is 0, the seed, and the CRC-32 of all three. */
export function seedRecord(seed: Uint8Array): Uint8Array {
  if (seed.length !== 64) throw new RangeError(`a seed has 64 bytes, not ${seed.length}`);
  const record = Buffer.alloc(4 + 4 + 64 + 4);
  record.write(MARK, 'latin1');
  record.set(seed, 8);
  record.writeUInt32LE(crc32(record.subarray(0, -4)), record.length - 4);
  return record;
}

/** A UF2 file that writes nothing but the seed sector of a Pico. */
export function picoSeedImage(seed: Uint8Array): Uint8Array {
  return toUf2(seedRecord(seed), PICO_SEED_OFFSET);
}
