// The English word list of BIP-39, front-coded. For each word, it has the number of letters that are shared
// with the previous word, the number of the other letters, and these letters. The first of every 32 words
// shares no letters.
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Generator } from './generator.js';
import { notice, staticData } from './source-text.js';

const BLOCK = 32;
const MAX_SHARED = 7;
const COUNT_BITS = 3;
const LETTER_BITS = 5;
/** The maximum size of the list, which is small because the flash of a board is small. */
const MOST_BYTES = 6144;

function sharedLetters(word: string, before: string): number {
  let shared = 0;
  while (shared < MAX_SHARED && word[shared] === before[shared]) shared++;
  return shared;
}

function content(): string {
  let bits = '';
  const blocks: bigint[] = [];
  const put = (value: number, width: number) => {
    bits += value.toString(2).padStart(width, '0');
  };
  for (const [index, word] of wordlist.entries()) {
    const isFirst = index % BLOCK === 0;
    if (isFirst) blocks.push(BigInt(bits.length));
    const shared = isFirst ? 0 : sharedLetters(word, wordlist[index - 1]!);
    put(shared, COUNT_BITS);
    put(word.length - shared - 1, COUNT_BITS);
    for (const letter of word.slice(shared)) put(letter.charCodeAt(0) - 0x61, LETTER_BITS);
  }
  // The list ends with padding, because the reader always loads three bytes to get five bits.
  const bytes = `${bits}${'0'.repeat(24)}`.match(/.{8}/g)!.map(byte => BigInt(`0b${byte}`));
  if (bytes.length + 2 * blocks.length > MOST_BYTES)
    throw new Error(`the word list is longer than ${MOST_BYTES} bytes`);
  return [
    notice('word-list.ts'),
    '/** Offset of the first bit of each block of 32 words in WORD_BITS. */',
    staticData('WORD_BLOCKS', 'u16', blocks, 16),
    '/**',
    ' * The words. Each word has the number of letters that it shares with the previous word (3 bits), the number of',
    ' * further letters − 1 (3 bits), and the further letters (5 bits each, a = 0). The most significant bit is first.',
    ' */',
    staticData('WORD_BITS', 'u8', bytes, 24).replace(/0x([0-9a-f]),/g, '0x0$1,'),
  ].join('\n');
}

export const wordList: Generator = { path: 'firmware/keystore/generated/word-list.ts', content };
