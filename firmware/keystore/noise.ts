// The board's noise: drawn, tested (NIST SP 800-90B §4.4), and hashed to the device's part.
import { sha256Final, sha256Init, sha256Update } from '../assembly/crypto/sha256';
import { wipe } from '../assembly/crypto/wipe';
import { sumOf } from '../assembly/sum';
import { DONE, NOT_YET, noise } from './hal';
import { board, devicePart, PART_LENGTH, RAW_LENGTH, raw, state } from './state';

/** Bytes drawn in one slice of work. */
const PIECE = 64;
export const NOISE_STEPS = RAW_LENGTH / PIECE;
/** Bytes of a window of the adaptive proportion test. */
const WINDOW = 512;
/** The probability of false alarms is 2 to the power of minus this. */
const ALPHA_BITS = 20;

/**
 * Occurrences that a window's first byte must not reach, for entropies of 1 to 8 bits: 1 + the critical value
 * of the binomial distribution of 512 trials at 1 − 2^-20 (§4.4.2).
 */
const PROPORTION: usize = memory.data<u16>([311, 177, 103, 62, 39, 25, 18, 13]);

const HASH = PART_LENGTH / 2;
const hash: usize = memory.data(HASH, 8);
const again: usize = memory.data(HASH, 8);

/** Draws the next piece; returns the answer of `noise`. */
export function drawPiece(): i32 {
  const answer = noise(raw + state.step * PIECE, PIECE);
  if (answer === DONE) state.step += 1;
  return answer === NOT_YET || answer === DONE ? answer : 0;
}

/** Tests all drawn bytes: returns whether they may be noise of the claimed entropy. */
export function passesTests(): bool {
  return isNotStuck() && isInProportion(raw) && isInProportion(raw + WINDOW);
}

/** Repetition count (§4.4.1): no byte may occur 1 + ⌈20/H⌉ times in a row. */
function isNotStuck(): bool {
  const cutoff = 1 + (ALPHA_BITS + board.claimedBits - 1) / board.claimedBits;
  let run = 1;
  let longest = 1;
  for (let i = 1; i < RAW_LENGTH; i++) {
    run = load<u8>(raw + i) === load<u8>(raw + i - 1) ? run + 1 : 1;
    longest = max(longest, run);
  }
  return longest < cutoff;
}

/** Adaptive proportion (§4.4.2) of one window. */
function isInProportion(window: usize): bool {
  const first = load<u8>(window);
  let count = 0;
  for (let i = 0; i < WINDOW; i++) count += load<u8>(window + i) === first ? 1 : 0;
  return count < <i32>load<u16>(PROPORTION + 2 * (board.claimedBits - 1));
}

/** Writes the SHA-256 of the drawn bytes as lower-case hexadecimal digits, and erases them. */
export function formDevicePart(): void {
  // The tests are repeated, because a fault may have skipped the first ones.
  if (state.step !== NOISE_STEPS || !passesTests()) unreachable();
  hashRaw(hash);
  hashRaw(again);
  if (memory.compare(hash, again, HASH) !== 0) unreachable();
  writeDigits();
  const written = sumOf(devicePart, PART_LENGTH);
  writeDigits();
  if (sumOf(devicePart, PART_LENGTH) !== written) unreachable();
  wipe(hash, HASH);
  wipe(again, HASH);
  wipe(raw, RAW_LENGTH);
  state.hasDevicePart = true;
}

function writeDigits(): void {
  wipe(devicePart, PART_LENGTH);
  for (let i = 0; i < PART_LENGTH; i++) {
    const byte = load<u8>(hash + i / 2);
    const digit = (i & 1) === 0 ? byte >> 4 : byte & 15;
    store<u8>(devicePart + i, digit < 10 ? 0x30 + digit : 0x61 - 10 + digit);
  }
}

function hashRaw(out: usize): void {
  sha256Init();
  sha256Update(raw, RAW_LENGTH);
  sha256Final(out);
}
