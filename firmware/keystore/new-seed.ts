// Creates a new seed from the device's random part and the user's rolls or flips, and shows its words
// (docs/KEYSTORE.md#a-new-seed).
import { sha256Final, sha256Init, sha256Update } from '../assembly/crypto/sha256';
import { wipe } from '../assembly/crypto/wipe';
import { BOTH, LEFT, RIGHT } from '../assembly/screen/flow';
import { COLUMNS } from '../assembly/screen/paginate';
import * as texts from './generated/texts';
import {
  beginChoice,
  beginLine,
  beginReading,
  both,
  left,
  put,
  putBytes,
  putNumber,
  putNumberedWord,
  right,
} from './layout';
import {
  DEVICE_PART,
  DISCARD,
  EMPTY,
  EVENT,
  GOES_BACK,
  GOES_ON,
  go,
  MENU_NEW,
  moveInReading,
  NOT_RANDOM,
  pagesOf,
  RANDOMNESS,
  RECORDED,
  WORD_COUNT,
  WORDS,
} from './pages';
import { asksNext } from './question';
import {
  board,
  COINS,
  CREATE,
  DICE,
  devicePart,
  entropy,
  forgetAll,
  MAX_RECORD,
  PART_LENGTH,
  record,
  state,
} from './state';
import { beginTask, TASK_NOISE } from './task';
import { entropyLength, formEntropy, formWords } from './words';

const HEADS: u8 = 0x31;
const TAILS: u8 = 0x30;
const ONE: u8 = 0x31;
const FACES = 6;
const LONGEST_PERIOD = 6;

const HASH = 32;
const hash: usize = memory.data(HASH, 8);
const again: usize = memory.data(HASH, 8);

export function composeWordCount(): void {
  beginChoice(texts.WORDS_TITLE);
  left(texts.WORDS_12);
  both(texts.BACK);
  right(texts.WORDS_24);
}

export function pressWordCount(button: i32): void {
  if (button === BOTH) {
    leave();
    return;
  }
  state.purpose = CREATE;
  state.count = button === LEFT ? 12 : 24;
  go(RANDOMNESS);
}

export function composeRandomness(): void {
  beginChoice(texts.RANDOMNESS);
  left(texts.DICE);
  both(texts.BACK);
  right(texts.COINS);
}

export function pressRandomness(button: i32): void {
  if (button === BOTH) {
    go(WORD_COUNT);
    return;
  }
  state.method = button === LEFT ? DICE : COINS;
  if (board.hasNoise && !state.hasDevicePart) beginTask(TASK_NOISE);
  else go(DEVICE_PART);
}

export function composeDevicePart(): void {
  beginReading(texts.DEVICES_PART, 0, 1);
  for (let i = 0; i < 4; i++) {
    beginLine(i);
    if (state.hasDevicePart) putBytes(devicePart + (i * PART_LENGTH) / 4, PART_LENGTH / 4);
    else if (i === 0) put(texts.NONE);
  }
}

export function pressDevicePart(button: i32): void {
  if (button === LEFT) go(RANDOMNESS);
  else if (button === RIGHT) go(EVENT);
}

export function composeEvent(): void {
  beginChoice(usesDice() ? texts.ROLL : texts.FLIP);
  putNumber(state.events + 1);
  put(texts.OF);
  putNumber(eventsNeeded());
  beginLine(0);
  const shown = min(state.events, COLUMNS);
  putBytes(record + state.events - shown, shown);
  if (!usesDice()) composeOptions(texts.HEADS, texts.UNDO, texts.TAILS);
  else if (state.half === 0) composeOptions(texts.ONE_OR_TWO, texts.THREE_OR_FOUR, texts.FIVE_OR_SIX);
  else composeFaces(lowerFace());
}

export function pressEvent(button: i32): void {
  if (!usesDice()) {
    if (button === BOTH) takeBack();
    else keepEvent(button === LEFT ? HEADS : TAILS);
  } else if (state.half === 0) {
    state.half = button;
  } else if (button === BOTH) {
    undoRoll();
  } else {
    keepEvent(ONE - 1 + <u8>lowerFace() + (button === RIGHT ? 1 : 0));
  }
}

export function composeRecord(): void {
  const lines = recordLines();
  beginReading(usesDice() ? texts.ROLLS : texts.FLIPS, state.index, pagesOf(lines));
  for (let i = 0; i < 4 && 4 * state.index + i < lines; i++) {
    beginLine(i);
    const from = (4 * state.index + i) * COLUMNS;
    putBytes(record + from, min(state.events - from, COLUMNS));
  }
}

export function pressRecord(button: i32): void {
  const moved = moveInReading(button, pagesOf(recordLines()));
  if (moved === GOES_BACK) takeBack();
  if (moved !== GOES_ON) return;
  if (mostEqual() > mostAllowed() || period() !== 0) {
    go(NOT_RANDOM);
    return;
  }
  formSeed();
  go(WORDS);
}

export function composeNotRandom(): void {
  beginChoice(texts.NOT_RANDOM);
  beginLine(0);
  const equal = mostEqual();
  if (equal > mostAllowed()) {
    putNumber(equal);
    put(texts.OF);
    putNumber(state.events);
    put(texts.ARE_EQUAL);
  } else {
    put(texts.IT_REPEATS_AFTER);
    putNumber(period());
  }
  both(texts.GIVE_UP);
  right(texts.START_AGAIN);
}

export function pressNotRandom(button: i32): void {
  if (button === BOTH) {
    leave();
    return;
  }
  if (button !== RIGHT) return;
  wipe(record, MAX_RECORD);
  state.events = 0;
  go(EVENT);
}

export function composeWords(): void {
  beginReading(texts.WORDS_TITLE, state.index, pagesOf(state.count));
  for (let i = 0; i < 4 && 4 * state.index + i < state.count; i++) {
    beginLine(i);
    putNumberedWord(4 * state.index + i);
  }
}

export function pressWords(button: i32): void {
  const moved = moveInReading(button, pagesOf(state.count));
  if (moved === GOES_BACK) go(DISCARD);
  else if (moved === GOES_ON) asksNext();
}

export function composeDiscard(): void {
  beginChoice(texts.DISCARD_SEED);
  left(texts.NO);
  both(texts.YES);
}

export function pressDiscard(button: i32): void {
  if (button === LEFT) go(WORDS);
  else if (button === BOTH) leave();
}

/** Returns the number of rolls or flips that a seed needs. */
function eventsNeeded(): i32 {
  if (state.count !== 12 && state.count !== 24) unreachable();
  if (state.method === DICE) return state.count === 12 ? 50 : 99;
  if (state.method !== COINS) unreachable();
  return state.count === 12 ? 128 : 256;
}

/** Returns how often one value may occur. More occurrences have a probability below 1 in 10,000. */
function mostAllowed(): i32 {
  if (usesDice()) return state.count === 12 ? 21 : 35;
  return state.count === 12 ? 89 : 164;
}

function usesDice(): bool {
  return state.method === DICE;
}

function lowerFace(): i32 {
  return state.half === LEFT ? 1 : state.half === BOTH ? 3 : 5;
}

function composeOptions(first: u32, second: u32, third: u32): void {
  left(first);
  both(second);
  right(third);
}

function composeFaces(lower: i32): void {
  left(texts.NOTHING);
  putNumber(lower);
  both(texts.UNDO);
  right(texts.NOTHING);
  putNumber(lower + 1);
}

function keepEvent(character: u8): void {
  store<u8>(record + state.events, character);
  state.events += 1;
  state.half = 0;
  state.undone = false;
  if (state.events === eventsNeeded()) go(RECORDED);
}

/** Returns to the first page of a roll, on which the user can undo earlier rolls. */
function undoRoll(): void {
  state.half = 0;
  if (state.undone) takeBack();
  else state.undone = true;
}

function takeBack(): void {
  if (state.events === 0) {
    state.undone = false;
    go(DEVICE_PART);
    return;
  }
  state.events -= 1;
  store<u8>(record + state.events, 0);
  go(EVENT);
}

function recordLines(): i32 {
  return (state.events + COLUMNS - 1) / COLUMNS;
}

/** Returns the number of occurrences of the most frequent value. */
function mostEqual(): i32 {
  let most = 0;
  for (let face = 0; face <= FACES; face++) {
    let count = 0;
    for (let i = 0; i < state.events; i++) count += load<u8>(record + i) === <u8>(TAILS + face) ? 1 : 0;
    most = max(most, count);
  }
  return most;
}

/**
 * Returns the smallest period, at most 6, with which the rolls or flips repeat, or 0 if they do not repeat.
 */
function period(): i32 {
  for (let length = 1; length <= LONGEST_PERIOD; length++) {
    let difference: u32 = 0;
    for (let i = length; i < state.events; i++)
      difference |= load<u8>(record + i) ^ load<u8>(record + i - length);
    if (difference === 0) return length;
  }
  return 0;
}

/**
 * Forms the entropy and the words. The entropy is the first bytes of the SHA-256 of the device's part and the
 * record, both as text.
 */
function formSeed(): void {
  if (state.events !== eventsNeeded() || state.hasDevicePart !== board.hasNoise) unreachable();
  hashSources(hash);
  hashSources(again);
  if (memory.compare(hash, again, HASH) !== 0) unreachable();
  memory.copy(entropy, hash, entropyLength(state.count));
  formWords();
  // The entropy of the words must equal the entropy from which they were formed, which detects a fault.
  formEntropy();
  if (memory.compare(entropy, again, entropyLength(state.count)) !== 0) unreachable();
  wipe(hash, HASH);
  wipe(again, HASH);
  wipe(devicePart, PART_LENGTH);
  wipe(record, MAX_RECORD);
  state.word = 0;
}

function hashSources(out: usize): void {
  sha256Init();
  if (board.hasNoise) sha256Update(devicePart, PART_LENGTH);
  sha256Update(record, state.events);
  sha256Final(out);
}

function leave(): void {
  forgetAll();
  go(EMPTY, MENU_NEW);
}
