// The board's noise. Before each use, 1,024 bytes are read, tested (NIST SP 800-90B §4.4), and hashed. The
// hash is the device's part of a seed, or the key from which the bytes for a PIN are derived.
import { computeHmac } from '../assembly/crypto/hmac-sha512';
import { wipeScratch } from '../assembly/crypto/scratch';
import { sha256Final, sha256Init, sha256Update } from '../assembly/crypto/sha256';
import { sha512 } from '../assembly/crypto/sha512';
import { wipe } from '../assembly/crypto/wipe';
import { sumOf } from '../assembly/sum';
import { DONE, NOT_YET, noise } from './hal';
import {
  board,
  derived,
  devicePart,
  NOISE_KEY_LENGTH,
  noiseKey,
  PART_LENGTH,
  RAW_LENGTH,
  raw,
  state,
} from './state';

/** Number of bytes that are read in one slice of `work`. */
const PIECE = 64;
export const NOISE_STEPS = RAW_LENGTH / PIECE;
/** Number of slices in a row for which a source may be not done yet. Then it has failed. */
const MOST_WAITS = 500;
/** Window of the adaptive proportion test, in bytes. */
const WINDOW = 512;
/** The probability of a false alarm of a test is 2^-ALPHA_BITS. */
const ALPHA_BITS = 20;

/**
 * Cutoffs of the adaptive proportion test, for 1 to 8 bits of entropy per byte. A window fails if its first
 * byte occurs this many times. A cutoff is 1 + the critical value of the binomial distribution of 512 trials
 * at 1 − 2^-20 (§4.4.2).
 */
const PROPORTION: usize = memory.data<u16>([311, 177, 103, 62, 39, 25, 18, 13]);

const HASH = PART_LENGTH / 2;
const hash: usize = memory.data(HASH, 8);
const again: usize = memory.data(HASH, 8);

/**
 * Reads the next piece of noise. Returns DONE if all bytes were read and pass the tests, NOT_YET, or 0 for a
 * failure.
 */
export function drawPiece(): i32 {
  const answer = noise(raw + state.step * PIECE, PIECE);
  if (answer === NOT_YET) {
    state.waits += 1;
    return state.waits < MOST_WAITS ? NOT_YET : 0;
  }
  if (answer !== DONE) return 0;
  state.step += 1;
  state.waits = 0;
  if (state.step < NOISE_STEPS) return NOT_YET;
  return passesTests() ? DONE : 0;
}

/** Returns whether all bytes pass the tests for the claimed entropy. */
function passesTests(): bool {
  return isNotStuck() && isInProportion(raw) && isInProportion(raw + WINDOW);
}

/**
 * Returns whether the noise passes the repetition count test (§4.4.1): with H bits of entropy, no byte may
 * occur 1 + ⌈20/H⌉ times in a row.
 */
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

/** Returns whether one window passes the adaptive proportion test (§4.4.2). */
function isInProportion(window: usize): bool {
  const first = load<u8>(window);
  let count = 0;
  for (let i = 0; i < WINDOW; i++) count += load<u8>(window + i) === first ? 1 : 0;
  return count < <i32>load<u16>(PROPORTION + 2 * (board.claimedBits - 1));
}

/** Writes the SHA-256 of the noise as lower-case hexadecimal digits, and erases the noise. */
export function formDevicePart(): void {
  requireTested();
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

/** Writes the SHA-512 of the noise to `noiseKey`, and erases the noise. */
export function formNoiseKey(): void {
  requireTested();
  sha512(noiseKey, raw, RAW_LENGTH);
  wipeScratch();
  wipe(raw, RAW_LENGTH);
}

/**
 * Writes 64 bytes to `derived`, which are uniform even if a raw byte has only one bit of entropy:
 * HMAC-SHA-512(noiseKey, purpose ‖ counter).
 */
export function deriveNoise(purpose: u8, counter: u8): void {
  store<u8>(derived, purpose);
  store<u8>(derived, counter, 1);
  computeHmac(derived, noiseKey, NOISE_KEY_LENGTH, derived, 2);
  wipeScratch();
}

/** Repeats the tests, because a fault may have skipped the first ones. */
function requireTested(): void {
  if (state.step !== NOISE_STEPS || !passesTests()) unreachable();
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
