import { Item, Items } from '../review/items';
import { drawArrows, drawBlank, drawCentered, drawLarge, drawLine, drawTitle } from './draw';
import { Position } from './flow';
import { showFrame, sumOfFrame } from './frame';
import { LINES, lineLength, nextLine, pageStart } from './paginate';

/** Capacity for a title with its page number. The longest one is `Escrow instruction (513/513)`. */
const TITLE_LENGTH = 40;
/** Top rows of the two lines on a page without a title bar. */
const UPPER_Y = 18;
const LOWER_Y = 34;

const title: usize = memory.data(TITLE_LENGTH);
const line: usize = memory.data(TITLE_LENGTH);

/**
 * Draws the page of a review at `position`, and returns a checksum of the frame. `approve` and `reject` are
 * the titles of the last two pages. If `silent`, the texts are not reported.
 */
export function drawReviewPage(
  items: Items,
  position: Position,
  approve: string,
  reject: string,
  silent: bool,
): u64 {
  drawBlank(silent);
  if (position.isApprovePage(items)) drawTwoLines(approve, 'approve: press both', true, true);
  else if (position.isRejectPage(items)) drawTwoLines(reject, 'press both to reject', true, false);
  else drawItemPage(items.at(position.item), position);
  return sumOfFrame();
}

/** Shows a page with two centred lines. */
export function showTwoLines(upper: string, lower: string, left: bool, right: bool): void {
  drawBlank(false);
  drawTwoLines(upper, lower, left, right);
  showFrame();
}

/** Shows a number below its title. */
export function showNumber(upper: string, value: u32, left: bool, right: bool): void {
  drawBlank(false);
  drawUnderTitle(upper, copyNumber(line, 0, value), left, right);
  showFrame();
}

/** Draws a page with two centred lines. The upper one is the title. */
function drawTwoLines(upper: string, lower: string, left: bool, right: bool): void {
  drawUnderTitle(upper, copyText(line, 0, lower), left, right);
}

/** Draws a title, and below it the first `length` characters of the buffer `line`. */
function drawUnderTitle(upper: string, length: i32, left: bool, right: bool): void {
  drawCentered(UPPER_Y, title, copyText(title, 0, upper));
  drawCentered(LOWER_Y, line, length);
  drawArrows(left, right);
}

function drawItemPage(item: Item, position: Position): void {
  drawTitle(title, formTitle(item, position));
  if (item.large) drawLarge(item.value, item.length);
  else drawLines(item, pageStart(item, position.page));
  drawArrows(position.item !== 0 || position.page !== 0, true);
}

function drawLines(item: Item, start: i32): void {
  let offset = start;
  for (let i = 0; i < LINES && offset < item.length; i++) {
    const length = lineLength(item, offset);
    const next = nextLine(item, offset);
    drawLine(i, item.value + offset, length, item.inverse, next > offset + length);
    offset = next;
  }
}

/** Writes `Title`, or `Title (2/3)` if the item has several pages. Returns the length. */
function formTitle(item: Item, position: Position): i32 {
  let length = copyText(title, 0, item.title);
  if (position.pages === 1) return length;
  length = copyText(title, length, ' (');
  length = copyNumber(title, length, position.page + 1);
  length = copyText(title, length, '/');
  length = copyNumber(title, length, position.pages);
  return copyText(title, length, ')');
}

/** Copies ASCII text to offset `at` of `out`. Returns the offset after the text. */
function copyText(out: usize, at: i32, text: string): i32 {
  for (let i = 0; i < text.length; i++) store<u8>(out + at + i, text.charCodeAt(i));
  return at + text.length;
}

function copyNumber(out: usize, at: i32, value: u32): i32 {
  let unit: u32 = 1;
  while (value / unit > 9) unit *= 10;
  let length = at;
  for (; unit > 0; unit /= 10) store<u8>(out + length++, 0x30 + ((value / unit) % 10));
  return length;
}
