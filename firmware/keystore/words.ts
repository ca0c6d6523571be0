// The English word list of BIP-39, and the conversion between words and entropy.
import { sha256Final, sha256Init, sha256Update } from '../assembly/crypto/sha256';
import { wipe } from '../assembly/crypto/wipe';
import { WORD_BITS, WORD_BLOCKS } from './flat/word-list';
import { entropy, MAX_WORDS, state, words } from './state';

export const LIST_LENGTH = 2048;
export const MAX_WORD = 8;
const WORD_WIDTH = 11;
const BLOCK = 32;
const COUNT_WIDTH = 3;
const LETTER_WIDTH = 5;
const HASH = 32;

const hash: usize = memory.data(HASH, 8);

/** Returns the number of bytes of entropy in a phrase of `count` words. */
export function entropyLength(count: i32): i32 {
  return (count * 4) / 3;
}

/** Returns the number in the word list of the seed's word at `index`. */
export function wordAt(index: i32): i32 {
  return load<u16>(words + 2 * index);
}

export function setWord(index: i32, word: i32): void {
  if (index < 0 || index >= MAX_WORDS || word < 0 || word >= LIST_LENGTH) unreachable();
  store<u16>(words + 2 * index, <u16>word);
}

/** Writes the letters of a word, at most 8, and returns the number of letters. */
export function spellWord(out: usize, word: i32): i32 {
  let at = <i32>load<u16>(WORD_BLOCKS + 2 * (word / BLOCK));
  let length = 0;
  for (let i = 0; i <= word % BLOCK; i++) {
    const shared = bitsAt(WORD_BITS, at, COUNT_WIDTH);
    const others = bitsAt(WORD_BITS, at + COUNT_WIDTH, COUNT_WIDTH) + 1;
    at += 2 * COUNT_WIDTH;
    for (let k = 0; k < others; k++) {
      store<u8>(out + shared + k, 0x61 + bitsAt(WORD_BITS, at, LETTER_WIDTH));
      at += LETTER_WIDTH;
    }
    length = shared + others;
  }
  return length;
}

/** Forms the words from the entropy. */
export function formWords(): void {
  const length = entropyLength(state.count);
  hashEntropy(length);
  store<u8>(entropy + length, load<u8>(hash));
  wipe(hash, HASH);
  let i = 0;
  for (; i < state.count; i++) setWord(i, bitsAt(entropy, i * WORD_WIDTH, WORD_WIDTH));
  if (i !== state.count) unreachable();
}

/** Forms the entropy from the words. Traps if the checksum is wrong. */
export function formEntropy(): void {
  if (state.count < 12 || state.count > MAX_WORDS || state.count % 3 !== 0) unreachable();
  wipe(entropy, 40);
  for (let i = 0; i < state.count; i++) putWord(i, wordAt(i));
  const length = entropyLength(state.count);
  const checksum = load<u8>(entropy + length);
  hashEntropy(length);
  const right = (<u32>load<u8>(hash) >> (8 - state.count / 3)) << (8 - state.count / 3);
  wipe(hash, HASH);
  if (<u32>checksum !== right) unreachable();
}

/** Returns the number of valid last words of a phrase of `count` words. */
export function countLastWords(count: i32): i32 {
  return LIST_LENGTH >> (count / 3);
}

/** Returns the valid last word with number `choice`. The other words determine the valid last words. */
export function lastWord(choice: i32): i32 {
  const checksumWidth = state.count / 3;
  wipe(entropy, 40);
  for (let i = 0; i < state.count - 1; i++) putWord(i, wordAt(i));
  putWord(state.count - 1, choice << checksumWidth);
  hashEntropy(entropyLength(state.count));
  const word = (choice << checksumWidth) | (load<u8>(hash) >> (8 - checksumWidth));
  wipe(hash, HASH);
  wipe(entropy, 40);
  return word;
}

/** Returns whether a word fits the checksum as the last word. */
export function fitsLastWord(word: i32): bool {
  return lastWord(word >> (state.count / 3)) === word;
}

function hashEntropy(length: i32): void {
  sha256Init();
  sha256Update(entropy, length);
  sha256Final(hash);
}

function putWord(index: i32, word: i32): void {
  const at = index * WORD_WIDTH;
  const shifted = (<u32>word) << (24 - WORD_WIDTH - (at & 7));
  const byte = entropy + (at >> 3);
  store<u8>(byte, load<u8>(byte) | (shifted >> 16));
  store<u8>(byte, load<u8>(byte, 1) | (shifted >> 8), 1);
  store<u8>(byte, load<u8>(byte, 2) | shifted, 2);
}

/** Returns `width` bits, at most 16, from bit `at` on. The most significant bit of a byte is first. */
function bitsAt(from: usize, at: i32, width: i32): i32 {
  const byte = from + (at >> 3);
  const bits = ((<u32>load<u8>(byte)) << 16) | ((<u32>load<u8>(byte, 1)) << 8) | load<u8>(byte, 2);
  return (bits >> (24 - width - (at & 7))) & ((1 << width) - 1);
}
