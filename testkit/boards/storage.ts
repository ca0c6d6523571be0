import { pbkdf2Sync } from 'node:crypto';
import { findBoard, seedSegment } from '@zbc-signer/image';
import { accounts } from '../repository/vectors.js';
import { STORED_BYTES, type Storage } from './driver.js';

/** The seed of the vectors' mnemonic. */
export const TEST_SEED = new Uint8Array(pbkdf2Sync(accounts.mnemonic, 'mnemonic', 2048, 64, 'sha512'));

const erased = () => new Uint8Array(STORED_BYTES).fill(0xff);

/** A seed, or none, and no settings; the record is the same on every board. */
export function storageWith(seed: Uint8Array | null = TEST_SEED): Storage {
  const sector = erased();
  if (seed) sector.set(seedSegment(findBoard('pico')!, seed).bytes);
  return { seed: sector, settings: [erased(), erased()] };
}
