// The passphrase, and the seed that is derived from the words and the passphrase
// (docs/KEYSTORE.md#passphrase).
import { beginPbkdf2, continuePbkdf2, PBKDF2_SIZE, pbkdf2Result } from '../assembly/crypto/pbkdf2';
import { sha256Final, sha256Init, sha256Update } from '../assembly/crypto/sha256';
import { wipe } from '../assembly/crypto/wipe';
import { BOTH, LEFT, RIGHT } from '../assembly/screen/flow';
import { COLUMNS } from '../assembly/screen/paginate';
import { sumOf } from '../assembly/sum';
import * as texts from './generated/texts';
import {
  beginChoice,
  beginLine,
  beginReading,
  both,
  left,
  put,
  putBytes,
  putCharacter,
  putNumber,
  right,
} from './layout';
import {
  CHARACTER,
  GOES_BACK,
  GOES_ON,
  go,
  LOCKED,
  MENU_UNLOCK,
  moveInReading,
  PASSPHRASE,
  PASSPHRASE_SHOWN,
  PASSPHRASE_USE,
  pagesOf,
  WORDS,
} from './pages';
import { returnToLastWord } from './restore';
import { CREATE, forgetAll, freshSeed, MAX_PASSPHRASE, passphrase, state, stretch, UNLOCK } from './state';
import { beginTask, during, TASK_STRETCH } from './task';
import { beginThirds, keepThird, thirdFrom, thirdSize } from './thirds';
import { formEntropy, MAX_WORD, spellWord, wordAt } from './words';

const DONE = 0;
const DELETE = 1;
const ENTRIES = 97;
/** Entry of the letter a. Letters and digits are first, followed by the rest of printable ASCII in order. */
const FIRST_LETTER = 2;
const SPACE = 64;

const ROUNDS = 2048;
const ROUNDS_A_SLICE = 32;
export const STRETCH_STEPS = ROUNDS / ROUNDS_A_SLICE;

const SEED = 64;
const FINGERPRINT_BYTES = 4;
/** "mnemonic" */
const SALT_TAG: usize = memory.data<u8>([0x6d, 0x6e, 0x65, 0x6d, 0x6f, 0x6e, 0x69, 0x63]);
const SALT_TAG_LENGTH = 8;
/** "ZBC-SEED-FINGERPRINT" */
const FINGERPRINT_TAG: usize = memory.data<u8>([
  0x5a, 0x42, 0x43, 0x2d, 0x53, 0x45, 0x45, 0x44, 0x2d, 0x46, 0x49, 0x4e, 0x47, 0x45, 0x52, 0x50, 0x52, 0x49,
  0x4e, 0x54,
]);
const FINGERPRINT_TAG_LENGTH = 20;

const MNEMONIC = 24 * (MAX_WORD + 1);
const mnemonic: usize = memory.data(MNEMONIC, 8);
const SALT = SALT_TAG_LENGTH + MAX_PASSPHRASE + 4;
const salt: usize = memory.data(SALT, 8);
const hash: usize = memory.data(32, 8);

export function composePassphrase(): void {
  beginChoice(texts.PASSPHRASE);
  left(texts.NO_PASSPHRASE);
  both(texts.BACK);
  right(texts.ENTER_ONE);
}

/**
 * Handles a press on the question whether to use a passphrase. BOTH goes back: to the words of a new seed, to
 * the last word of a restore, or to the menu in an unlock, because the words are then from the vault.
 */
export function pressPassphrase(button: i32): void {
  wipe(passphrase, MAX_PASSPHRASE);
  state.length = 0;
  if (button === LEFT) beginTask(TASK_STRETCH);
  else if (button === RIGHT) beginCharacter();
  else if (state.purpose === CREATE) go(WORDS);
  else if (state.purpose === UNLOCK) leaveUnlock();
  else returnToLastWord();
}

export function composeCharacter(): void {
  beginChoice(texts.CHARACTER);
  putNumber(state.length + 1);
  beginLine(0);
  const shown = min(state.length, COLUMNS);
  putBytes(passphrase + state.length - shown, shown);
  putRange(LEFT);
  putRange(BOTH);
  putRange(RIGHT);
}

export function pressCharacter(button: i32): void {
  if (!keepThird(button) || state.size > 1) return;
  const entry = state.from;
  if (entry === DONE) {
    endPassphrase();
    return;
  }
  if (entry === DELETE) deleteCharacter();
  else if (state.length === MAX_PASSPHRASE) {
    endPassphrase();
    return;
  } else addCharacter(characterOf(entry));
  beginCharacter();
}

export function composePassphraseShown(): void {
  beginReading(texts.PASSPHRASE, 0, 1);
  for (let i = 0; i < lines(); i++) {
    beginLine(i);
    putBytes(passphrase + i * COLUMNS, min(state.length - i * COLUMNS, COLUMNS));
  }
}

export function pressPassphraseShown(button: i32): void {
  const moved = moveInReading(button, pagesOf(lines()));
  if (moved === GOES_BACK) beginCharacter();
  else if (moved === GOES_ON) go(PASSPHRASE_USE);
}

export function composePassphraseUse(): void {
  beginChoice(texts.PASSPHRASE);
  left(texts.CHANGE);
  right(texts.USE_IT);
}

export function pressPassphraseUse(button: i32): void {
  if (button === LEFT) beginCharacter();
  else if (button === RIGHT) beginTask(TASK_STRETCH);
}

/** Computes one slice of the seed. Returns whether the seed is complete. */
export function stretchSlice(): bool {
  during(TASK_STRETCH);
  state.steps = STRETCH_STEPS;
  if (state.step === 0) beginStretchTwice();
  // beginStretchTwice has already run the first round.
  continuePbkdf2(stretch, state.step === 0 ? ROUNDS_A_SLICE - 1 : ROUNDS_A_SLICE);
  state.step += 1;
  return state.step >= STRETCH_STEPS;
}

/** Copies the computed seed to `freshSeed`. Traps unless all rounds have run. */
export function takeStretchedSeed(): void {
  memory.copy(freshSeed, pbkdf2Result(stretch, ROUNDS), SEED);
  wipe(stretch, PBKDF2_SIZE);
}

export function composeFingerprint(): void {
  beginReading(texts.FINGERPRINT, 0, 1);
  beginLine(0);
  putFingerprint(freshSeed);
}

/** Writes the 8 hexadecimal digits of a seed's fingerprint. */
export function putFingerprint(seed: usize): void {
  sha256Init();
  sha256Update(FINGERPRINT_TAG, FINGERPRINT_TAG_LENGTH);
  sha256Update(seed, SEED);
  sha256Final(hash);
  for (let i = 0; i < 2 * FINGERPRINT_BYTES; i++) {
    const byte: u32 = load<u8>(hash + i / 2);
    const digit = (i & 1) === 0 ? byte >> 4 : byte & 15;
    putCharacter(digit < 10 ? 0x30 + digit : 0x61 - 10 + digit);
  }
  wipe(hash, 32);
}

function leaveUnlock(): void {
  forgetAll();
  go(LOCKED, MENU_UNLOCK);
}

/**
 * Begins the computation twice and compares the results. Traps if a fault changed the words, the passphrase
 * or the first round in one of them.
 */
function beginStretchTwice(): void {
  formEntropy();
  beginStretch();
  const begun = sumOf(stretch, PBKDF2_SIZE);
  beginStretch();
  if (sumOf(stretch, PBKDF2_SIZE) !== begun) unreachable();
}

function beginStretch(): void {
  let length = 0;
  for (let i = 0; i < state.count; i++) {
    if (i > 0) store<u8>(mnemonic + length++, 0x20);
    length += spellWord(mnemonic + length, wordAt(i));
  }
  memory.copy(salt, SALT_TAG, SALT_TAG_LENGTH);
  memory.copy(salt + SALT_TAG_LENGTH, passphrase, state.length);
  beginPbkdf2(stretch, mnemonic, length, salt, SALT_TAG_LENGTH + state.length);
  wipe(mnemonic, MNEMONIC);
  wipe(salt, SALT);
}

function lines(): i32 {
  return (state.length + COLUMNS - 1) / COLUMNS;
}

function beginCharacter(): void {
  beginThirds(ENTRIES);
  go(CHARACTER);
}

function endPassphrase(): void {
  go(state.length === 0 ? PASSPHRASE : PASSPHRASE_SHOWN);
}

function addCharacter(character: u32): void {
  store<u8>(passphrase + state.length, character);
  state.length += 1;
}

function deleteCharacter(): void {
  if (state.length === 0) return;
  state.length -= 1;
  store<u8>(passphrase + state.length, 0);
}

function characterOf(entry: i32): u32 {
  const at = entry - FIRST_LETTER;
  if (at < 26) return 0x61 + at;
  if (at < 52) return 0x41 + at - 26;
  if (at < 62) return 0x30 + at - 52;
  const rest = at - 62;
  if (rest < 16) return 0x20 + rest;
  if (rest < 23) return 0x3a + rest - 16;
  if (rest < 29) return 0x5b + rest - 23;
  return 0x7b + rest - 29;
}

function putRange(button: i32): void {
  const size = thirdSize(button);
  if (size === 0) return;
  if (button === LEFT) left(texts.NOTHING);
  else if (button === BOTH) both(texts.NOTHING);
  else right(texts.NOTHING);
  putEntry(thirdFrom(button));
  if (size === 1) return;
  put(texts.TO_CHARACTER);
  putEntry(thirdFrom(button) + size - 1);
}

function putEntry(entry: i32): void {
  if (entry === DONE) put(texts.DONE);
  else if (entry === DELETE) put(texts.DELETE);
  else if (entry === SPACE) put(texts.SPACE_NAME);
  else putCharacter(characterOf(entry));
}
