import { Item } from '../review/items';

/** Number of characters on a line, and of lines on a page below the title. */
export const COLUMNS = 21;
export const LINES = 4;
/** A line is broken before its last column only if it keeps at least this many characters. */
const SHORTEST_LINE = 11;

const LINE_FEED: u32 = 0x0a;
const SPACE: u32 = 0x20;
const UNDERSCORE: u32 = 0x5f;

/**
 * Returns the length of the line that begins at offset `from` of the item's value. The line ends at a line
 * feed. If no line feed follows within the width of the screen, the line has as many characters as fit, and
 * breaks after a space or before an underscore near its end. The joined lines equal the value byte for byte,
 * except for line feeds.
 */
export function lineLength(item: Item, from: i32): i32 {
  const at = item.value + from;
  const remaining = item.length - from;
  let length = 0;
  while (length < remaining && length < COLUMNS && character(at, length) !== LINE_FEED) length++;
  if (length === remaining || character(at, length) === LINE_FEED) return length;
  for (let end = length; end >= SHORTEST_LINE; end--) {
    if (character(at, end) === UNDERSCORE || character(at, end - 1) === SPACE) return end;
  }
  return length;
}

/** Returns the offset of the line that follows the line at `from`. */
export function nextLine(item: Item, from: i32): i32 {
  const end = from + lineLength(item, from);
  return end < item.length && character(item.value, end) === LINE_FEED ? end + 1 : end;
}

/**
 * Returns the offset of the page that follows the page at `from`, or the value's length after the last page.
 */
function nextPage(item: Item, from: i32): i32 {
  let offset = from;
  for (let line = 0; line < LINES && offset < item.length; line++) offset = nextLine(item, offset);
  return offset;
}

/** Returns the number of pages of an item, which is at least 1. */
export function countPages(item: Item): i32 {
  let pages = 1;
  for (let offset = nextPage(item, 0); offset < item.length; offset = nextPage(item, offset)) pages++;
  return pages;
}

/** Returns the offset at which page number `page` begins. Pages are counted from 0. */
export function pageStart(item: Item, page: i32): i32 {
  let offset = 0;
  for (let i = 0; i < page; i++) offset = nextPage(item, offset);
  return offset;
}

function character(at: usize, offset: i32): u32 {
  return load<u8>(at + offset);
}
