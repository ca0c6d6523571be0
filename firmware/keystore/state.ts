import { SEED_LENGTH } from '../../protocol/src/limits';
import { PBKDF2_SIZE } from '../assembly/crypto/pbkdf2';
import { wipe } from '../assembly/crypto/wipe';
import { sumOf } from '../assembly/sum';

/** The most rolls or flips, words and characters that are entered. */
export const MAX_RECORD = 256;
export const MAX_WORDS = 24;
export const MAX_PASSPHRASE = 64;
export const PIN_LENGTH = 6;
export const DIGITS = 9;
export const RECORD_LENGTH = 82;
export const SHUFFLE_NOISE = 64;
/** Raw bytes of noise that a device's part is made of. */
export const RAW_LENGTH = 1024;
/** A device's part in hexadecimal digits. */
export const PART_LENGTH = 64;

/** Whether the seed is open: far apart, so that no flipped bit makes one of the other. */
export const CLOSED: u32 = 0;
export const OPEN: u32 = 0x5ac3a53c;

/** What words and passphrase are entered for. */
export const CREATE: u32 = 0x3c3c3c3c;
export const RESTORE: u32 = 0x5a5a5a5a;
export const CHECK_BACKUP: u32 = 0x66666666;
export const UNLOCK: u32 = 0x69966996;
export const CHANGE_PIN: u32 = 0x0f0ff0f0;

/** How a person makes randomness. */
export const DICE: u32 = 0x0ff00ff0;
export const COINS: u32 = 0x33cc33cc;

/** What the platform's maker says of the board, kept while it runs. */
@unmanaged
class Board {
  hasNoise: bool;
  hasVault: bool;
  /** Its keys and its display are at the other end of a line. */
  isTest: bool;
  /** The vault holds a record. */
  hasRecord: bool;
  /** Bits of entropy that a raw byte has, 1 to 8. */
  claimedBits: i32;
}

/** Everything that is gone once the seed is forgotten. */
@unmanaged
class State {
  /** What is on the screen (pages.ts), and which page of a menu or of a reading. */
  page: u32;
  index: i32;
  /** What `work` does, 0 for nothing (work.ts); where it stands, and how far it has to go. */
  task: u32;
  step: i32;
  steps: i32;
  opened: u32;
  /** The signer has display and buttons. */
  isBehind: bool;
  neverLocks: bool;
  purpose: u32;
  /** Words of the seed. */
  count: i32;
  method: u32;
  /** Rolls or flips in the record. */
  events: i32;
  /** The button that began a roll, or 0; whether one was taken back since the last that is complete. */
  half: i32;
  undone: bool;
  hasDevicePart: bool;
  /** The word that is asked for, from 0; words before it were right, or are entered. */
  word: i32;
  /** What is left of the list to choose from, and presses so far. */
  from: i32;
  size: i32;
  presses: i32;
  /** Characters of the passphrase. */
  length: i32;
  /** Which PIN is entered, its digits so far, and the group that was pressed. */
  entering: u32;
  digits: i32;
  group: i32;
  /** OPEN once a record's tag was right. */
  unlocked: u32;
  /** Attempts that the vault has counted. */
  attempts: u32;
}

const BOARD = (<i32>offsetof<State>() + 7) & ~7;
const SEED = BOARD + ((<i32>offsetof<Board>() + 7) & ~7);
const FRESH = SEED + SEED_LENGTH;
const PART = FRESH + SEED_LENGTH;
const RECORD = PART + PART_LENGTH;
// The entropy with its checksum, and a word that reaches beyond both.
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
// Noise for the device's part lies over what comes after it.
const RAW = RECORD;
const SIZE = RAW + RAW_LENGTH;

const block: usize = memory.data(SIZE, 8);

export const state: State = changetype<State>(block);
export const board: Board = changetype<Board>(block + BOARD);
/** The open seed, and the one that was computed last. */
export const seedBytes: usize = block + SEED;
export const freshSeed: usize = block + FRESH;
export const devicePart: usize = block + PART;
/** ASCII: rolls `1` to `6`, heads `1`, tails `0`. */
export const record: usize = block + RECORD;
export const entropy: usize = block + ENTROPY;
/** Indices in the list of words, u16. */
export const words: usize = block + WORDS;
export const passphrase: usize = block + PASSPHRASE;
export const stretch: usize = block + STRETCH;
/** Digits from 1 to 9. */
export const pin: usize = block + PIN;
export const firstPin: usize = block + FIRST_PIN;
/** The digits 1 to 9 as they are shown. */
export const order: usize = block + ORDER;
export const stored: usize = block + STORED;
export const vaultKey: usize = block + KEY;
export const shuffleNoise: usize = block + SHUFFLED;
export const raw: usize = block + RAW;

let seal: u64 = 0;

/** Takes note of the state, at the end of an event. */
export function sealState(): void {
  if (SHUFFLED + SHUFFLE_NOISE > SIZE) ERROR('what a seed is made of reaches beyond the block');
  seal = sumOf(block, SIZE);
}

/** Traps when the state is not what the last event left: a memory fault, since nothing else writes it. */
export function checkSeal(): void {
  if (sumOf(block, SIZE) !== seal) unreachable();
}

/** Zeroes every byte that depends on a seed, a person's randomness, noise or a PIN; traps where one is left. */
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

/** Zeroes all but the open seed, and that it never locks. */
export function forgetEntry(): void {
  const opened = state.opened;
  const neverLocks = state.neverLocks;
  wipe(block, BOARD);
  wipe(freshSeed, SIZE - FRESH);
  state.opened = opened;
  state.neverLocks = neverLocks;
}
