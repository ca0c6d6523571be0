// SHA3-256 (FIPS 202 §6.1): a sponge of 1600 bits with a rate of 136 bytes. It hashes public data only.
import { permuteKeccak } from './flat/keccak-permutation';
import { wipe } from './wipe';

const RATE = 136;
const STATE: usize = memory.data(200, 8);
let absorbed: i32 = 0;

/** Starts a hash. An unfinished hash is discarded, because only one can be in progress. */
export function sha3Init(): void {
  wipe(STATE, 200);
  absorbed = 0;
}

/** Hashes the next `length` bytes at `data`. */
export function sha3Update(data: usize, length: i32): void {
  const end = data + length;
  while (data < end) {
    if (absorbed === 0 && data + RATE <= end) {
      absorbBlock(data);
      data += RATE;
    } else {
      absorbByte(load<u8>(data));
      data += 1;
    }
  }
}

/** Ends the hash and writes its 32 bytes to `out`. */
export function sha3Final(out: usize): void {
  // The suffix 01 of SHA3 and the padding 10*1 (§6.1, §5.1).
  store<u8>(STATE + absorbed, load<u8>(STATE + absorbed) ^ 0x06);
  store<u8>(STATE, load<u8>(STATE, RATE - 1) ^ 0x80, RATE - 1);
  permuteKeccak(STATE);
  memory.copy(out, STATE, 32);
  sha3Init();
}

/** Writes the SHA3-256 of the `length` bytes at `message` to `out`. An unfinished hash is discarded. */
export function sha3_256(out: usize, message: usize, length: i32): void {
  sha3Init();
  sha3Update(message, length);
  sha3Final(out);
}

function absorbBlock(data: usize): void {
  for (let i = 0; i < RATE; i += 8) store<u64>(STATE + i, load<u64>(STATE + i) ^ load<u64>(data + i));
  permuteKeccak(STATE);
}

function absorbByte(byte: u8): void {
  store<u8>(STATE + absorbed, load<u8>(STATE + absorbed) ^ byte);
  absorbed += 1;
  if (absorbed === RATE) {
    permuteKeccak(STATE);
    absorbed = 0;
  }
}
