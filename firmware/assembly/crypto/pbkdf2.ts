// PBKDF2 (RFC 8018 §5.2) with HMAC-SHA-512, limited to 64 bytes of output. The rounds run in slices. The
// caller supplies a block of memory, which keeps the state between two slices.
import { setHmacKey } from './hmac-sha512';
import { HASH_LENGTH, HASH_STATE, HMAC_KEY, wipeScratch } from './scratch';
import { sha512After, sha512Final, sha512Init, sha512Update } from './sha512';

const BLOCK = 128;
const HASH = 64;

// Offsets in the caller's block: the states of SHA-512 after the key with each of the two pads, the result of
// the last round, the XOR of all results, and the number of rounds that have run.
const INNER = 0;
const OUTER = HASH;
const LAST = 2 * HASH;
const SUM = 3 * HASH;
const ROUNDS = 4 * HASH;
export const PBKDF2_SIZE = ROUNDS + 8;

/** Runs the first round. `salt` must have room for 4 more bytes after its `saltLength` bytes. */
export function beginPbkdf2(block: usize, password: usize, length: i32, salt: usize, saltLength: i32): void {
  setHmacKey(password, length);
  keepPadded(block + INNER, 0x36363636);
  keepPadded(block + OUTER, 0x36363636 ^ 0x5c5c5c5c);
  store<u32>(salt + saltLength, bswap<u32>(1));
  memory.copy(HASH_STATE, block + INNER, HASH);
  store<u64>(HASH_LENGTH, BLOCK);
  sha512Update(salt, saltLength + 4);
  sha512Final(block + LAST);
  sha512After(block + OUTER, block + LAST, block + LAST);
  memory.copy(block + SUM, block + LAST, HASH);
  store<u64>(block, 1, ROUNDS);
  wipeScratch();
}

/** Runs `rounds` more rounds. */
export function continuePbkdf2(block: usize, rounds: i32): void {
  for (let round = 0; round < rounds; round++) {
    sha512After(block + INNER, block + LAST, block + LAST);
    sha512After(block + OUTER, block + LAST, block + LAST);
    let i = 0;
    for (; i < HASH; i += 8) {
      store<u64>(block + SUM + i, load<u64>(block + SUM + i) ^ load<u64>(block + LAST + i));
    }
    store<u64>(block + ROUNDS, load<u64>(block + ROUNDS) + i / HASH);
    if (i !== HASH) unreachable();
  }
  wipeScratch();
}

/** Returns the address of the 64 bytes of output. Traps unless exactly `rounds` rounds have run. */
export function pbkdf2Result(block: usize, rounds: i32): usize {
  if (load<u64>(block + ROUNDS) !== <u64>rounds) unreachable();
  return block + SUM;
}

/**
 * Writes the state of SHA-512 after the padded key to `out`. `change` is the XOR of the previous and the new
 * pad, so that the key in HMAC_KEY gets the new pad.
 */
function keepPadded(out: usize, change: u32): void {
  for (let i = 0; i < BLOCK; i += 4) store<u32>(HMAC_KEY + i, load<u32>(HMAC_KEY + i) ^ change);
  sha512Init();
  sha512Update(HMAC_KEY, BLOCK);
  memory.copy(out, HASH_STATE, HASH);
}
