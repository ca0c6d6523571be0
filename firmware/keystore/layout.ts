// Composes and draws a page. The kinds of pages are menu, reading and choice (docs/KEYSTORE.md#pages), and
// the page of a computation.

import { wipe } from '../assembly/crypto/wipe';
import { drawArrows, drawBar, drawBlank, drawCentered, drawLine, drawTitle } from '../assembly/screen/draw';
import { showFrame, sumOfFrame } from '../assembly/screen/frame';
import { COLUMNS, LINES } from '../assembly/screen/paginate';
import * as texts from './generated/texts';
import { spellWord, wordAt } from './words';

const MENU = 1;
const READING = 2;
const CHOICE = 3;
const WAITING = 4;

/** Top rows of the two lines of a menu page, which are the same as in the signer. */
const UPPER_Y = 18;
const LOWER_Y = 34;
const BAR_Y = 40;

// The title and the lines of the page, each in WIDTH bytes.
const WIDTH = 32;
const composed: usize = memory.data((1 + LINES) * WIDTH, 8);
const lengths: usize = memory.data(8, 8);

let kind: i32 = 0;
let hasLeft: bool = false;
let hasRight: bool = false;
let bar: i32 = 0;
/** Index of the text that is being written: 0 is the title, and 1 is the first line. */
let text: i32 = 0;

/** Begins a page of a menu. The caller then writes its lower line. */
export function beginMenu(upper: u32, index: i32, count: i32): void {
  begin(MENU, upper);
  hasLeft = index > 0;
  hasRight = index + 1 < count;
  beginLine(0);
}

/** Begins a page of a reading. The caller then writes its lines. */
export function beginReading(title: u32, index: i32, count: i32): void {
  begin(READING, title);
  if (count === 1) return;
  put(texts.PAGE_OPEN);
  putNumber(index + 1);
  put(texts.PAGE_OF);
  putNumber(count);
  put(texts.PAGE_CLOSE);
}

/** Begins a choice. The caller then writes the rest of its title, and calls `left`, `both` and `right`. */
export function beginChoice(title: u32): void {
  begin(CHOICE, title);
}

/** Composes the page of a computation, in which `done` of `total` steps of the progress bar are lit. */
export function composeWaiting(done: i32, total: i32): void {
  begin(WAITING, texts.PLEASE_WAIT);
  bar = total === 0 ? 0 : (done * 128) / total;
}

/** Begins a line, counted from 0. The caller then writes it. */
export function beginLine(line: i32): void {
  text = 1 + line;
  if (text > LINES) unreachable();
}

// The options of a choice are on the lines 1 to 3, below a line of text.
export function left(option: u32): void {
  beginLine(1);
  put(texts.OPTION_LEFT);
  put(option);
}

export function both(option: u32): void {
  beginLine(2);
  put(texts.OPTION_BOTH);
  put(option);
}

export function right(option: u32): void {
  beginLine(3);
  put(texts.OPTION_RIGHT);
  put(option);
}

/** Writes a text of generated/texts.ts. */
export function put(id: u32): void {
  putBytes(texts.LETTERS + (id >> 8), id & 0xff);
}

/** Writes an ASCII string. */
export function putString(ascii: string): void {
  for (let i = 0; i < ascii.length; i++) putCharacter(ascii.charCodeAt(i));
}

export function putCharacter(character: u32): void {
  const length = load<u8>(lengths + text);
  if (<i32>length >= WIDTH) unreachable();
  store<u8>(composed + text * WIDTH + length, character);
  store<u8>(lengths + text, length + 1);
}

export function putBytes(from: usize, length: i32): void {
  for (let i = 0; i < length; i++) putCharacter(load<u8>(from + i));
}

export function putNumber(value: i32): void {
  if (value > 9) putNumber10(value);
  putCharacter(0x30 + (value % 10));
}

function putNumber10(value: i32): void {
  if (value > 99) putCharacter(0x30 + ((value / 100) % 10));
  putCharacter(0x30 + ((value / 10) % 10));
}

/** Writes a word of the BIP-39 list. */
export function putWord(word: i32): void {
  const at = composed + text * WIDTH + load<u8>(lengths + text);
  store<u8>(lengths + text, <i32>load<u8>(lengths + text) + spellWord(at, word));
  if (<i32>load<u8>(lengths + text) > WIDTH) unreachable();
}

/** Writes the number of a word of the seed, counted from 1, and the word, such as `12 engine`. */
export function putNumberedWord(index: i32): void {
  putNumber(index + 1);
  put(texts.SPACE);
  putWord(wordAt(index));
}

/**
 * Draws the composed page. If `silent`, the page is only drawn for a comparison, and its texts are not
 * reported.
 */
export function paint(silent: bool): void {
  drawBlank(silent);
  if (kind === READING || kind === CHOICE) paintLines();
  else drawCentered(UPPER_Y, composed, load<u8>(lengths));
  if (kind === MENU) drawCentered(LOWER_Y, composed + WIDTH, load<u8>(lengths, 1));
  if (kind === WAITING) drawBar(BAR_Y, bar);
  else if (kind === READING) drawArrows(true, true);
  else if (kind === MENU) drawArrows(hasLeft, hasRight);
  wipe(composed, (1 + LINES) * WIDTH);
  wipe(lengths, 8);
}

/** Returns a checksum of the drawn page. */
export function painted(): u64 {
  return sumOfFrame();
}

export function show(): void {
  showFrame();
}

function paintLines(): void {
  drawTitle(composed, load<u8>(lengths));
  for (let i = 1; i <= LINES; i++) {
    const length = load<u8>(lengths + i);
    if (<i32>length > COLUMNS) unreachable();
    drawLine(i - 1, composed + i * WIDTH, length, false, false);
  }
}

function begin(newKind: i32, title: u32): void {
  wipe(composed, (1 + LINES) * WIDTH);
  wipe(lengths, 8);
  kind = newKind;
  text = 0;
  put(title);
}
