// The English word list of BIP-39, front-coded: each word has the number of letters shared with the previous
// word, the number of other letters, and these letters. The first of every 32 words shares none.
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Generator } from './generator.js';
import { notice, staticData } from './source-text.js';

const BLOCK = 32;
const MAX_SHARED = 7;
const COUNT_BITS = 3;
const LETTER_BITS = 5;
/** The limit exists because a board's flash is small. */
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
  // Five bits are read from three bytes.
  const bytes = `${bits}${'0'.repeat(24)}`.match(/.{8}/g)!.map(byte => BigInt(`0b${byte}`));
  if (bytes.length + 2 * blocks.length > MOST_BYTES) throw new Error(`it is longer than ${MOST_BYTES} bytes`);
  return [
    notice('word-list.ts'),
    '/** Start of the bits of each block of 32 words. */',
    staticData('WORD_BLOCKS', 'u16', blocks, 16),
    '/** Most significant bit first: letters shared, letters that follow − 1 (3 bits each), letters from a = 0 (5 bits). */',
    staticData('WORD_BITS', 'u8', bytes, 24).replace(/0x([0-9a-f]),/g, '0x0$1,'),
  ].join('\n');
}

export const wordList: Generator = { path: 'firmware/keystore/generated/word-list.ts', content };
