// The check that the user has written down every word of a new seed (docs/KEYSTORE.md#the-check).
import { hmacSha256 } from '../assembly/crypto/sha256';
import { wipe } from '../assembly/crypto/wipe';
import { BOTH, LEFT } from '../assembly/screen/flow';
import * as texts from './generated/texts';
import { beginChoice, beginLine, beginReading, both, left, put, putNumber, putWord, right } from './layout';
import { go, PASSPHRASE, QUESTION, WORDS, WRONG_WORD } from './pages';
import { entropy, state } from './state';
import { entropyLength, wordAt } from './words';

const CANDIDATES = 3;
const TAG_LENGTH = 10;
/** The tag "ZBC-CHECK", followed by a byte for the index of the word. */
const tag: usize = memory.data<u8>([0x5a, 0x42, 0x43, 0x2d, 0x43, 0x48, 0x45, 0x43, 0x4b, 0]);

const drawn: usize = memory.data(32, 8);
const candidates: usize = memory.data(8, 8);

/** Asks the next question, or continues with the passphrase if every word was correct. */
export function asksNext(): void {
  while (state.word < state.count && countOthers() < CANDIDATES - 1) state.word += 1;
  go(state.word < state.count ? QUESTION : PASSPHRASE);
}

export function composeQuestion(): void {
  beginChoice(texts.WORD_TITLE);
  putNumber(state.word + 1);
  put(texts.IS);
  formCandidates();
  left(texts.NOTHING);
  putWord(candidateAt(0));
  both(texts.NOTHING);
  putWord(candidateAt(1));
  right(texts.NOTHING);
  putWord(candidateAt(2));
  wipe(candidates, 8);
}

export function pressQuestion(button: i32, complement: i32): void {
  if (!isRight(button)) {
    go(WRONG_WORD);
    return;
  }
  // The answer is checked again with the complement of the button, so that a fault cannot accept a wrong
  // word.
  if (!isRight(~complement)) unreachable();
  state.word += 1;
  asksNext();
}

function isRight(button: i32): bool {
  formCandidates();
  const chosen = candidateAt(button === LEFT ? 0 : button === BOTH ? 1 : 2);
  wipe(candidates, 8);
  return chosen === wordAt(state.word);
}

export function composeWrongWord(): void {
  beginReading(texts.WRONG_WORD, 0, 1);
  beginLine(0);
  put(texts.WORD_TITLE);
  putNumber(state.word + 1);
  put(texts.SPACE);
  put(texts.IS_ANOTHER);
}

export function pressWrongWord(button: i32): void {
  if (button !== BOTH) go(WORDS);
}

/**
 * Forms three candidates: the correct word and two other words of the seed. The choice of the other words and
 * the positions depend only on the entropy and the index of the word.
 */
function formCandidates(): void {
  store<u8>(tag, <u8>state.word, TAG_LENGTH - 1);
  hmacSha256(drawn, entropy, entropyLength(state.count), tag, TAG_LENGTH);
  store<u8>(tag, 0, TAG_LENGTH - 1);
  const others = countOthers();
  const first = remainder(0, others);
  let second = remainder(4, others - 1);
  if (second >= first) second += 1;
  const at = <i32>(load<u8>(drawn, 8) % CANDIDATES);
  let place = 0;
  for (let i = 0; i < CANDIDATES; i++) {
    if (i === at) setCandidate(i, wordAt(state.word));
    else setCandidate(i, otherWord(place++ === 0 ? first : second));
  }
  wipe(drawn, 32);
}

/** Returns the big-endian number of the 4 bytes at `at` of `drawn`, modulo `divisor`. */
function remainder(at: i32, divisor: i32): i32 {
  return bswap<u32>(load<u32>(drawn + at)) % divisor;
}

function candidateAt(place: i32): i32 {
  return load<u16>(candidates + 2 * place);
}

function setCandidate(place: i32, word: i32): void {
  store<u16>(candidates + 2 * place, <u16>word);
}

/** Returns the number of distinct words of the seed other than the correct word. */
function countOthers(): i32 {
  let count = 0;
  for (let i = 0; i < state.count; i++) count += isOther(i) ? 1 : 0;
  return count;
}

/** Returns the word with number `rank` among the distinct other words, in the order of the word list. */
function otherWord(rank: i32): i32 {
  for (let i = 0; i < state.count; i++) {
    if (isOther(i) && rankOf(wordAt(i)) === rank) return wordAt(i);
  }
  unreachable();
  return 0;
}

function rankOf(word: i32): i32 {
  let rank = 0;
  for (let i = 0; i < state.count; i++) rank += isOther(i) && wordAt(i) < word ? 1 : 0;
  return rank;
}

/**
 * Returns whether the word at `index` differs from all earlier words of the seed and from the correct word.
 */
function isOther(index: i32): bool {
  for (let i = 0; i < index; i++) if (wordAt(i) === wordAt(index)) return false;
  return wordAt(index) !== wordAt(state.word);
}
