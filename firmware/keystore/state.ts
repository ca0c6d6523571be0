import { SEED_LENGTH } from '../../protocol/src/limits';
import { PBKDF2_SIZE } from '../assembly/crypto/pbkdf2';
import { wipe } from '../assembly/crypto/wipe';
import { sumOf } from '../assembly/sum';

/** Maximum numbers of rolls or flips, words and characters. */
export const MAX_RECORD = 256;
export const MAX_WORDS = 24;
export const MAX_PASSPHRASE = 64;
export const PIN_LENGTH = 6;
export const DIGITS = 9;
export const RECORD_LENGTH = 82;
export const SHUFFLE_NOISE = 64;
/** Raw bytes of noise for a device's part. */
export const RAW_LENGTH = 1024;
/** A device's part in hexadecimal digits. */
export const PART_LENGTH = 64;

/** Whether the seed is open; the values are far apart, so that no flipped bit turns one into the other. */
export const CLOSED: u32 = 0;
export const OPEN: u32 = 0x5ac3a53c;

/** The purpose of entering words and passphrase. */
export const CREATE: u32 = 0x3c3c3c3c;
export const RESTORE: u32 = 0x5a5a5a5a;
export const CHECK_BACKUP: u32 = 0x66666666;
export const UNLOCK: u32 = 0x69966996;
export const CHANGE_PIN: u32 = 0x0f0ff0f0;

/** The source of randomness that the user chose. */
export const DICE: u32 = 0x0ff00ff0;
export const COINS: u32 = 0x33cc33cc;

/** The board's properties according to its maker, kept while it runs. */
@unmanaged
class Board {
  hasNoise: bool;
  hasVault: bool;
  /** Whether keys and display are a panel at the other end of a UART. */
  isTest: bool;
  /** Whether the vault holds a record. */
  hasRecord: bool;
  /** Bits of entropy per raw byte, 1 to 8. */
  claimedBits: i32;
}

/** The state that is erased when the seed is forgotten. */
@unmanaged
class State {
  /** The page on the screen (pages.ts), and its number within a menu or a reading. */
  page: u32;
  index: i32;
  /** The task of `work`, 0 for none (work.ts), its progress and its end. */
  task: u32;
  step: i32;
  steps: i32;
  opened: u32;
  /** Whether the signer has display and buttons. */
  isBehind: bool;
  neverLocks: bool;
  purpose: u32;
  /** Number of words of the seed. */
  count: i32;
  method: u32;
  /** Number of rolls or flips in the record. */
  events: i32;
  /** The button that began a roll, or 0; and whether one was undone since the last complete roll. */
  half: i32;
  undone: bool;
  hasDevicePart: bool;
  /** Index of the requested word; earlier words were correct, or are entered. */
  word: i32;
  /** The remaining range of the list, and the number of presses so far. */
  from: i32;
  size: i32;
  presses: i32;
  /** Number of characters of the passphrase. */
  length: i32;
  /** The PIN that is being entered, its digits so far, and the pressed group. */
  entering: u32;
  digits: i32;
  group: i32;
  /** OPEN once a record's tag was correct. */
  unlocked: u32;
  /** The vault's count of attempts. */
  attempts: u32;
}

const BOARD = (<i32>offsetof<State>() + 7) & ~7;
const SEED = BOARD + ((<i32>offsetof<Board>() + 7) & ~7);
const FRESH = SEED + SEED_LENGTH;
const PART = FRESH + SEED_LENGTH;
const RECORD = PART + PART_LENGTH;
// The entropy with its checksum, and a word that extends beyond both.
const ENTROPY = RECORD + MAX_RECORD;
const WORDS = ENTROPY + 40;
const PASSPHRASE = WORDS + 2 * MAX_WORDS;
const STRETCH = PASSPHRASE + MAX_PASSPHRASE;
const PIN = STRETCH + PBKDF2_SIZE;
const FIRST_PIN = PIN + 8;
const ORDER = FIRST_PIN + 8;
const STORED = ORDER + 16;
const KEY = STORED + 88;
const SHUFFLED = KEY + 32;
// The noise for the device's part shares memory with later fields.
const RAW = RECORD;
const SIZE = RAW + RAW_LENGTH;

const block: usize = memory.data(SIZE, 8);

export const state: State = changetype<State>(block);
export const board: Board = changetype<Board>(block + BOARD);
/** The open seed, and the one computed last. */
export const seedBytes: usize = block + SEED;
export const freshSeed: usize = block + FRESH;
export const devicePart: usize = block + PART;
/** The record in ASCII: rolls `1` to `6`, heads `1`, tails `0`. */
export const record: usize = block + RECORD;
export const entropy: usize = block + ENTROPY;
/** Indices in the word list, u16. */
export const words: usize = block + WORDS;
export const passphrase: usize = block + PASSPHRASE;
export const stretch: usize = block + STRETCH;
/** The PIN in digits from 1 to 9. */
export const pin: usize = block + PIN;
export const firstPin: usize = block + FIRST_PIN;
/** The digits 1 to 9 in the displayed order. */
export const order: usize = block + ORDER;
export const stored: usize = block + STORED;
export const vaultKey: usize = block + KEY;
export const shuffleNoise: usize = block + SHUFFLED;
export const raw: usize = block + RAW;

let seal: u64 = 0;

/** Records the state at the end of an event. */
export function sealState(): void {
  if (SHUFFLED + SHUFFLE_NOISE > SIZE) ERROR('what a seed is made of reaches beyond the block');
  seal = sumOf(block, SIZE);
}

/**
 * Traps if the state differs from that at the end of the last event: only a memory fault changes it in
 * between.
 */
export function checkSeal(): void {
  if (sumOf(block, SIZE) !== seal) unreachable();
}

/** Zeroes every byte that depends on a seed, a user's randomness, noise or a PIN; traps if one remains. */
export function forgetAll(): void {
  wipe(block, BOARD);
  wipe(seedBytes, SIZE - SEED);
  if (holdsAny(block, BOARD) || holdsAny(seedBytes, SIZE - SEED)) unreachable();
}

function holdsAny(from: usize, length: i32): bool {
  let bits: u32 = 0;
  for (let at = 0; at < length; at++) bits |= load<u8>(from + at);
  return bits !== 0;
}

/** Zeroes everything except the open seed and the setting that it never locks. */
export function forgetEntry(): void {
  const opened = state.opened;
  const neverLocks = state.neverLocks;
  wipe(block, BOARD);
  wipe(freshSeed, SIZE - FRESH);
  state.opened = opened;
  state.neverLocks = neverLocks;
}
