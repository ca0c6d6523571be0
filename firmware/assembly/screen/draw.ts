import { SCREEN_HEIGHT, SCREEN_WIDTH } from '../../../protocol/src/limits';
import { text } from '../hal';
import { clearFrame, fillRows, invertBits } from './frame';
import {
  TITLE_GLYPHS,
  TITLE_HEIGHT,
  TITLE_WIDTHS,
  VALUE_GLYPHS,
  VALUE_HEIGHT,
  VALUE_WIDTH,
} from './glyphs/font';
import { COLUMNS } from './paginate';

/** Height in rows of the lit bar behind a title. The bar prevents that a value looks like a title. */
const TITLE_BAR = 10;
const TITLE_Y = 1;
const MARGIN = 1;
/** First row of the value lines, and distance in rows from one line to the next. */
const FIRST_LINE_Y = 11;
const LINE_PITCH = 12;
const ARROW_WIDTH = 3;
const ARROW_HEIGHT = 5;

const BAR_HEIGHT = 8;

const FIRST_CHARACTER = 0x20;
const SPACE: u32 = 0x20;

// The glyphs of the marks follow the font's characters. The narrow mark of a line feed is drawn by code in
// the screen's last two columns, in these rows of the line.
const LINE_FEED_MARK = 0x7f;
const SPACE_MARK = 0x80;
const NARROW_MARK_Y = 4;
const NARROW_MARK_HEIGHT = 5;
/** The bits of one row of a character's cell, which is 6 pixels wide. */
const CELL = 0xfc00;

// Whether the texts are not reported, because the screen is only drawn for a comparison.
let isSilent: bool = false;

/** Begins a new screen. If `silent`, its texts are not reported. */
export function drawBlank(silent: bool): void {
  isSilent = silent;
  clearFrame();
}

/** Draws a page's title, dark on a lit bar. */
export function drawTitle(pointer: usize, length: i32): void {
  fillRows(0, TITLE_BAR);
  let x = MARGIN;
  for (let i = 0; i < length; i++) {
    const glyph = load<u8>(pointer + i) - FIRST_CHARACTER;
    drawGlyph(x, TITLE_Y, TITLE_GLYPHS + <usize>glyph * TITLE_HEIGHT, TITLE_HEIGHT);
    x += load<u8>(TITLE_WIDTHS + <usize>glyph);
  }
  report(pointer, length, MARGIN, TITLE_Y, x - MARGIN, TITLE_HEIGHT);
}

/**
 * Draws line `line` of a value, counted from 0. If `ended`, the line ends with a line feed, drawn as a mark.
 */
export function drawLine(line: i32, pointer: usize, length: i32, inverse: bool, ended: bool): void {
  const y = FIRST_LINE_Y + line * LINE_PITCH;
  drawRow(MARGIN, y, pointer, length);
  if (inverse) invertCells(y, length);
  if (ended) drawLineFeed(y, length);
}

/** Draws a line in the middle of the screen's width, `y` rows from the top. */
export function drawCentered(y: i32, pointer: usize, length: i32): void {
  drawRow((SCREEN_WIDTH - length * VALUE_WIDTH) / 2, y, pointer, length);
}

/** Draws a word in twice the size, in the middle of the screen. */
export function drawLarge(pointer: usize, length: i32): void {
  const width = 2 * length * VALUE_WIDTH;
  const left = (SCREEN_WIDTH - width) / 2;
  const top = (SCREEN_HEIGHT - 2 * VALUE_HEIGHT + TITLE_BAR) / 2;
  for (let i = 0; i < length; i++) {
    drawLargeGlyph(left + 2 * i * VALUE_WIDTH, top, valueGlyph(load<u8>(pointer + i)));
  }
  report(pointer, length, left, top, width, 2 * VALUE_HEIGHT);
}

/** Draws the arrows for the buttons that lead to another page. */
export function drawArrows(left: bool, right: bool): void {
  const y = SCREEN_HEIGHT - ARROW_HEIGHT;
  for (let row = 0; row < ARROW_HEIGHT; row++) {
    const width = row < ARROW_WIDTH ? row + 1 : ARROW_HEIGHT - row;
    const bits: u32 = (0xffff << (16 - width)) & 0xffff;
    if (left) invertBits(ARROW_WIDTH - width, y + row, bits);
    if (right) invertBits(SCREEN_WIDTH - ARROW_WIDTH, y + row, bits);
  }
}

/** Lights the first `width` pixels of a bar of 8 rows. */
export function drawBar(y: i32, width: i32): void {
  for (let row = y; row < y + BAR_HEIGHT; row++) {
    for (let x = 0; x < width; x++) invertBits(x, row, 0x8000);
  }
}

function drawRow(x: i32, y: i32, pointer: usize, length: i32): void {
  for (let i = 0; i < length; i++) {
    drawGlyph(x + i * VALUE_WIDTH, y, valueGlyph(markOf(pointer, length, i)), VALUE_HEIGHT);
  }
  if (length !== 0) report(pointer, length, x, y, length * VALUE_WIDTH, VALUE_HEIGHT);
}

function report(pointer: usize, length: i32, x: i32, y: i32, width: i32, height: i32): void {
  if (!isSilent) text(pointer, length, x, y, width, height);
}

/** Returns the character at `index` of a line, or the mark if it is a leading or trailing space. */
function markOf(pointer: usize, length: i32, index: i32): u32 {
  const character: u32 = load<u8>(pointer + index);
  return character === SPACE && (index === 0 || index === length - 1) ? SPACE_MARK : character;
}

function invertCells(y: i32, length: i32): void {
  for (let row = 0; row < VALUE_HEIGHT; row++) {
    for (let i = 0; i < length; i++) invertBits(MARGIN + i * VALUE_WIDTH, y + row, CELL);
  }
}

/** Draws the mark of a line feed after the last character, or a narrow mark if the line has full length. */
function drawLineFeed(y: i32, length: i32): void {
  if (length < COLUMNS) {
    drawGlyph(MARGIN + length * VALUE_WIDTH, y, valueGlyph(LINE_FEED_MARK), VALUE_HEIGHT);
    return;
  }
  for (let row = 0; row < NARROW_MARK_HEIGHT; row++) {
    const bits = row === NARROW_MARK_HEIGHT - 1 ? 0xc000 : 0x4000;
    invertBits(SCREEN_WIDTH - 2, y + NARROW_MARK_Y + row, bits);
  }
}

function valueGlyph(character: u32): usize {
  return VALUE_GLYPHS + (character - FIRST_CHARACTER) * VALUE_HEIGHT;
}

function drawGlyph(x: i32, y: i32, glyph: usize, height: i32): void {
  for (let row = 0; row < height; row++) {
    const bits: u32 = load<u8>(glyph + row);
    if (bits !== 0) invertBits(x, y + row, bits << 8);
  }
}

function drawLargeGlyph(x: i32, y: i32, glyph: usize): void {
  for (let row = 0; row < VALUE_HEIGHT; row++) {
    const bits = doubled(load<u8>(glyph + row));
    invertBits(x, y + 2 * row, bits);
    invertBits(x, y + 2 * row + 1, bits);
  }
}

/** Repeats each of the 8 bits, which gives 16 bits. */
function doubled(bits: u32): u32 {
  let wide: u32 = 0;
  for (let i = 0; i < 8; i++) wide |= ((bits >> i) & 1) * (3 << (2 * i));
  return wide;
}
