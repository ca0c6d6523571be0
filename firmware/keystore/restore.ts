// Entry of words, to restore a seed or to check a backup (docs/KEYSTORE.md#restore).
import { BOTH, LEFT, RIGHT } from '../assembly/screen/flow';
import * as texts from './generated/texts';
import { beginChoice, beginLine, beginMenu, both, left, put, putNumber, putWord, right } from './layout';
import {
  COUNTS,
  choosesInMenu,
  EMPTY,
  go,
  KEEP,
  MENU_CHECK_BACKUP,
  MENU_RESTORE,
  OPENED,
  PASSPHRASE,
  RANGE,
} from './pages';
import { CHECK_BACKUP, forgetAll, forgetEntry, state } from './state';
import { beginThirds, keepThird, thirdFrom, thirdSize } from './thirds';
import { countLastWords, fitsLastWord, formEntropy, LIST_LENGTH, lastWord, setWord, wordAt } from './words';

const COUNT_ENTRIES = 6;
const BACK_ENTRY = 5;
/** Number of presses that select a word of the list. */
const PRESSES = 7;

export function beginRestore(purpose: u32): void {
  state.purpose = purpose;
  go(COUNTS);
}

export function composeCounts(): void {
  beginMenu(countName(state.index), state.index, COUNT_ENTRIES);
  put(texts.PRESS_BOTH);
}

export function pressCounts(button: i32): void {
  if (!choosesInMenu(button, COUNT_ENTRIES)) return;
  if (state.index === BACK_ENTRY) {
    leaveRestore();
    return;
  }
  state.count = countAt(state.index);
  beginWord(0);
}

export function composeRange(): void {
  beginWordTitle();
  if (thirdSize(LEFT) !== 0) putRange(LEFT);
  if (thirdSize(BOTH) !== 0) putRange(BOTH);
  if (thirdSize(RIGHT) !== 0) putRange(RIGHT);
}

export function pressRange(button: i32): void {
  if (!keepThird(button) || state.presses < pressesNeeded()) return;
  setWord(state.word, listed(state.from));
  state.entered = max(state.entered, state.word + 1);
  go(KEEP);
}

export function composeKeep(): void {
  beginWordTitle();
  beginLine(0);
  putWord(wordAt(state.word));
  left(texts.CHANGE);
  both(texts.BACK);
  right(texts.KEEP);
}

export function pressKeep(button: i32): void {
  if (button === LEFT) beginWord(state.word);
  else if (button === BOTH && state.word === 0) leaveRestore();
  else if (button === BOTH) state.word -= 1;
  else if (isLast()) endWords();
  else goToNext();
}

/** Returns to the page of the last word. Called from the page that follows it. */
export function returnToLastWord(): void {
  state.word = state.count - 1;
  go(KEEP);
}

function endWords(): void {
  formEntropy();
  go(PASSPHRASE);
}

function leaveRestore(): void {
  if (state.purpose === CHECK_BACKUP) {
    forgetEntry();
    go(OPENED, MENU_CHECK_BACKUP);
  } else {
    forgetAll();
    go(EMPTY, MENU_RESTORE);
  }
}

/** Offers the next word to keep if it was entered before. A last word that no longer fits is asked anew. */
function goToNext(): void {
  state.word += 1;
  if (state.word < state.entered && (!isLast() || fitsLastWord(wordAt(state.word)))) go(KEEP);
  else beginWord(state.word);
}

function beginWord(index: i32): void {
  state.word = index;
  beginThirds(isLast() ? countLastWords(state.count) : LIST_LENGTH);
  go(RANGE);
}

function isLast(): bool {
  return state.word === state.count - 1;
}

/** Returns the word at a position of the list from which the user chooses. */
function listed(place: i32): i32 {
  return isLast() ? lastWord(place) : place;
}

/**
 * Returns the number of presses that select a word. It depends only on the length of the list, so that it
 * reveals nothing about the word.
 */
function pressesNeeded(): i32 {
  if (!isLast()) return PRESSES;
  if (state.count === 12) return 5;
  if (state.count === 15 || state.count === 18) return 4;
  return state.count === 21 ? 3 : 2;
}

function beginWordTitle(): void {
  beginChoice(texts.WORD_TITLE);
  putNumber(state.word + 1);
  put(texts.OF);
  putNumber(state.count);
}

function putRange(button: i32): void {
  if (button === LEFT) left(texts.NOTHING);
  else if (button === BOTH) both(texts.NOTHING);
  else right(texts.NOTHING);
  const size = thirdSize(button);
  const from = state.size === 1 ? state.from : thirdFrom(button);
  putWord(listed(from));
  if (size === 1) return;
  put(texts.TO_WORD);
  putWord(listed(from + size - 1));
}

function countAt(entry: i32): i32 {
  if (entry === 0) return 12;
  if (entry === 1) return 24;
  if (entry === 2) return 15;
  return entry === 3 ? 18 : 21;
}

function countName(entry: i32): u32 {
  if (entry === 0) return texts.WORDS_12;
  if (entry === 1) return texts.WORDS_24;
  if (entry === 2) return texts.WORDS_15;
  if (entry === 3) return texts.WORDS_18;
  return entry === 4 ? texts.WORDS_21 : texts.BACK;
}
