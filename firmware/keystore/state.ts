import { SEED_LENGTH } from '../../protocol/src/limits';
import { PBKDF2_SIZE } from '../assembly/crypto/pbkdf2';
import { wipe } from '../assembly/crypto/wipe';
import { sumOf } from '../assembly/sum';

/** Maximum numbers of rolls or flips, of words, and of characters of a passphrase. */
export const MAX_RECORD = 256;
export const MAX_WORDS = 24;
export const MAX_PASSPHRASE = 64;
export const PIN_LENGTH = 6;
export const DIGITS = 9;
export const RECORD_LENGTH = 82;
export const PROOF_LENGTH = 32;
export const NOISE_KEY_LENGTH = 64;
export const DERIVED_LENGTH = 64;
/** Number of raw bytes of noise for the device's part of a seed, and for each PIN. */
export const RAW_LENGTH = 1024;
/** Length of the device's part, in hexadecimal digits. */
export const PART_LENGTH = 64;

/**
 * Values of `opened` and `unlocked`. They differ in many bits, so that a flipped bit does not open a seed.
 */
export const CLOSED: u32 = 0;
export const OPEN: u32 = 0x5ac3a53c;

/** Values of `purpose`: why words, a passphrase or a PIN are entered. */
export const CREATE: u32 = 0x3c3c3c3c;
export const RESTORE: u32 = 0x5a5a5a5a;
export const CHECK_BACKUP: u32 = 0x66666666;
export const UNLOCK: u32 = 0x69966996;
export const CHANGE_PIN: u32 = 0x0f0ff0f0;

/** Values of `method`: the source of randomness that the user chose. */
export const DICE: u32 = 0x0ff00ff0;
export const COINS: u32 = 0x33cc33cc;

/** Properties of the board. They are not erased when the seed is forgotten. */
@unmanaged
class Board {
  hasNoise: bool;
  hasVault: bool;
  /** Whether display and buttons are a panel at the other end of a UART. */
  isTest: bool;
  /** Whether the vault holds a record. */
  hasRecord: bool;
  /** Bits of entropy that the board's maker claims per raw byte of noise, 1 to 8. */
  claimedBits: i32;
}

/** The state that is erased when the seed is forgotten. */
@unmanaged
class State {
  /** The page on the screen (pages.ts), and its number within a menu or a reading. */
  page: u32;
  index: i32;
  /** The task of `work` (task.ts), the next step of the task, and the number of its steps. */
  task: u32;
  step: i32;
  steps: i32;
  opened: u32;
  /** Whether the signer uses the display and the buttons now, and not the keystore. */
  isBehind: bool;
  neverLocks: bool;
  purpose: u32;
  /** Number of slices in a row for which the noise source was not done. */
  waits: i32;
  /** Number of words of the seed. */
  count: i32;
  method: u32;
  /** Number of rolls or flips in `record`. */
  events: i32;
  /**
   * The first of the two button presses of a roll, or 0; whether a roll was undone since the last complete
   * roll.
   */
  half: i32;
  undone: bool;
  hasDevicePart: bool;
  /**
   * Index of the word that is being asked for. The user has entered all earlier words, correctly if a new
   * seed is checked.
   */
  word: i32;
  /** Number of words that were entered in a restore or a check of the backup. */
  entered: i32;
  /** The remaining range of the list in thirds.ts, and the number of presses so far. */
  from: i32;
  size: i32;
  presses: i32;
  /** Number of characters of the passphrase. */
  length: i32;
  /** Which PIN is being entered, the number of digits so far, and the selected group of digits. */
  entering: u32;
  digits: i32;
  group: i32;
  /** OPEN after the tag of a record was correct. */
  unlocked: u32;
  /** The vault's count of attempts. */
  attempts: u32;
}

const BOARD = (<i32>offsetof<State>() + 7) & ~7;
const SEED = BOARD + ((<i32>offsetof<Board>() + 7) & ~7);
const FRESH = SEED + SEED_LENGTH;
const PART = FRESH + SEED_LENGTH;
// The entropy and its checksum, with extra bytes because the last word is written as three bytes.
const ENTROPY = PART + PART_LENGTH;
const FIRST_PIN = ENTROPY + 40;
const OLD_PROOF = FIRST_PIN + 8;
const NOISE_KEY = OLD_PROOF + PROOF_LENGTH;
const RECORD = NOISE_KEY + NOISE_KEY_LENGTH;
const WORDS = RECORD + MAX_RECORD;
const PASSPHRASE = WORDS + 2 * MAX_WORDS;
const STRETCH = PASSPHRASE + MAX_PASSPHRASE;
const PIN = STRETCH + PBKDF2_SIZE;
const ORDER = PIN + 8;
const STORED = ORDER + 16;
const KEY = STORED + 88;
const NEW_PROOF = KEY + 32;
const DERIVED = NEW_PROOF + PROOF_LENGTH;
// The raw noise shares memory with the fields from RECORD on, which are not in use when noise is read: before
// the first roll, and before a PIN.
const RAW = RECORD;
const SIZE = RAW + RAW_LENGTH;

const block: usize = memory.data(SIZE, 8);

export const state: State = changetype<State>(block);
export const board: Board = changetype<Board>(block + BOARD);
/** The open seed, and the seed that was computed last. */
export const seedBytes: usize = block + SEED;
export const freshSeed: usize = block + FRESH;
export const devicePart: usize = block + PART;
/** The user's rolls or flips in ASCII: `1` to `6` for a roll, `1` for heads, `0` for tails. */
export const record: usize = block + RECORD;
export const entropy: usize = block + ENTROPY;
/** Indices of the words in the word list, u16 each. */
export const words: usize = block + WORDS;
export const passphrase: usize = block + PASSPHRASE;
export const stretch: usize = block + STRETCH;
/** The digits of the PIN, each from 1 to 9. */
export const pin: usize = block + PIN;
export const firstPin: usize = block + FIRST_PIN;
/** The digits 1 to 9 in the displayed order. */
export const order: usize = block + ORDER;
export const stored: usize = block + STORED;
export const vaultKey: usize = block + KEY;
/** The proofs of the PIN that an unlock found correct, and of a new PIN. Zeros while there is none. */
export const oldProof: usize = block + OLD_PROOF;
export const newProof: usize = block + NEW_PROOF;
export const noiseKey: usize = block + NOISE_KEY;
/** Bytes that are derived from `noiseKey` for one use. */
export const derived: usize = block + DERIVED;
export const raw: usize = block + RAW;

let seal: u64 = 0;

/** Records a checksum of the state at the end of an event, such as a button press. */
export function sealState(): void {
  if (DERIVED + DERIVED_LENGTH > SIZE) ERROR('the fields of the block must fit into SIZE bytes');
  seal = sumOf(block, SIZE);
}

/** Traps if the state has changed since the end of the last event, which only a memory fault can cause. */
export function checkSeal(): void {
  if (sumOf(block, SIZE) !== seal) unreachable();
}

/**
 * Zeroes every byte that depends on a seed, the user's randomness, noise or a PIN. Traps if a byte is not
 * zero afterwards.
 */
export function forgetAll(): void {
  wipe(block, BOARD);
  wipe(seedBytes, SIZE - SEED);
  if (holdsAny(block, BOARD) || holdsAny(seedBytes, SIZE - SEED)) unreachable();
}

/** Returns whether any of the bytes is not zero. */
export function holdsAny(from: usize, length: i32): bool {
  let bits: u32 = 0;
  for (let at = 0; at < length; at++) bits |= load<u8>(from + at);
  return bits !== 0;
}

/** Zeroes everything except the open seed and the setting that the seed never locks. */
export function forgetEntry(): void {
  const opened = state.opened;
  const neverLocks = state.neverLocks;
  wipe(block, BOARD);
  wipe(freshSeed, SIZE - FRESH);
  state.opened = opened;
  state.neverLocks = neverLocks;
}
