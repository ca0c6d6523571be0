// SHA-512 (FIPS 180-4 §6.4). Only one hash can be in progress at a time. The state is not erased until
// crypto.ts wipes the working memory.
import { INITIAL_STATE, runSha512Rounds } from './flat/sha512-rounds';
import { HASH_BLOCK, HASH_LENGTH, HASH_STATE, SCHEDULE } from './scratch';

const BLOCK = 128;

export function sha512Init(): void {
  memory.copy(HASH_STATE, INITIAL_STATE, 64);
  store<u64>(HASH_LENGTH, 0);
}

export function sha512Update(data: usize, length: i32): void {
  let filled = <i32>load<u64>(HASH_LENGTH) % BLOCK;
  store<u64>(HASH_LENGTH, load<u64>(HASH_LENGTH) + length);
  while (filled + length >= BLOCK) {
    if (filled === 0) {
      hashBlock(data);
    } else {
      memory.copy(HASH_BLOCK + filled, data, BLOCK - filled);
      hashBlock(HASH_BLOCK);
    }
    data += BLOCK - filled;
    length -= BLOCK - filled;
    filled = 0;
  }
  memory.copy(HASH_BLOCK + filled, data, length);
}

/** Pads (§5.1.2), hashes the remaining bytes and writes the 64 bytes to `out`. */
export function sha512Final(out: usize): void {
  let filled = <i32>load<u64>(HASH_LENGTH) % BLOCK;
  store<u8>(HASH_BLOCK + filled, 0x80);
  filled += 1;
  if (filled > 112) {
    memory.fill(HASH_BLOCK + filled, 0, BLOCK - filled);
    hashBlock(HASH_BLOCK);
    filled = 0;
  }
  memory.fill(HASH_BLOCK + filled, 0, 120 - filled);
  store<u64>(HASH_BLOCK, bswap(load<u64>(HASH_LENGTH) << 3), 120);
  hashBlock(HASH_BLOCK);
  for (let i = 0; i < 64; i += 8) store<u64>(out + i, bswap(load<u64>(HASH_STATE + i)));
}

/**
 * Continues from `state`, the state of SHA-512 after one block: hashes the last 64 bytes, at `message`, and
 * writes the 64-byte hash to `out`. It has no branch that a fault could invert. A loop that a fault ends
 * early or late causes a trap.
 */
export function sha512After(state: usize, out: usize, message: usize): void {
  memory.copy(HASH_STATE, state, 64);
  memory.copy(HASH_BLOCK, message, 64);
  memory.fill(HASH_BLOCK + 64, 0, 64);
  store<u8>(HASH_BLOCK, 0x80, 64);
  store<u64>(HASH_BLOCK, bswap<u64>(8 * (BLOCK + 64)), 120);
  hashBlock(HASH_BLOCK);
  let i = 0;
  for (; i < 64; i += 8) store<u64>(out + i, bswap(load<u64>(HASH_STATE + i)));
  if (i !== 64) unreachable();
}

/** Writes the SHA-512 of the `length` bytes at `message` to `out`. */
export function sha512(out: usize, message: usize, length: i32): void {
  sha512Init();
  sha512Update(message, length);
  sha512Final(out);
}

/**
 * Hashes a block. Traps if a fault ended a loop early or late: nothing verifies the hash of a seed
 * afterwards.
 */
function hashBlock(block: usize): void {
  let i = 0;
  for (; i < BLOCK; i += 8) store<u64>(SCHEDULE + i, bswap(load<u64>(block + i)));
  // W(t), §6.4.2 step 1
  let w = SCHEDULE;
  for (; w < SCHEDULE + 512; w += 8) {
    const w1 = load<u64>(w, 8);
    const w14 = load<u64>(w, 112);
    const sigma0 = rotr(w1, 1) ^ rotr(w1, 8) ^ (w1 >> 7);
    const sigma1 = rotr(w14, 19) ^ rotr(w14, 61) ^ (w14 >> 6);
    store<u64>(w, sigma1 + load<u64>(w, 72) + sigma0 + load<u64>(w), 128);
  }
  if (i !== BLOCK || w !== SCHEDULE + 512) unreachable();
  runSha512Rounds(HASH_STATE, SCHEDULE);
}
