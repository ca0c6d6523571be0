import { Item } from '../review/items';

/** Characters on a line and lines on a page, below the title. */
export const COLUMNS = 21;
export const LINES = 4;
/** A line is broken early only if at least this much of it is kept. */
const SHORTEST_LINE = 11;

const LINE_FEED: u32 = 0x0a;
const SPACE: u32 = 0x20;
const UNDERSCORE: u32 = 0x5f;

/**
 * Length of the line that begins at offset `from` of the item's value: up to a line feed, or as much as fits,
 * broken after a space or before an underscore near the end. The joined lines equal the value byte for byte,
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

/** Offset of the line after the one at `from`. */
export function nextLine(item: Item, from: i32): i32 {
  const end = from + lineLength(item, from);
  return end < item.length && character(item.value, end) === LINE_FEED ? end + 1 : end;
}

/** Offset of the page after the one at `from`; the value's length if there is none. */
function nextPage(item: Item, from: i32): i32 {
  let offset = from;
  for (let line = 0; line < LINES && offset < item.length; line++) offset = nextLine(item, offset);
  return offset;
}

/** Number of pages of an item, at least 1. */
export function countPages(item: Item): i32 {
  let pages = 1;
  for (let offset = nextPage(item, 0); offset < item.length; offset = nextPage(item, offset)) pages++;
  return pages;
}

/** Offset at which a page begins, counted from page 0. */
export function pageStart(item: Item, page: i32): i32 {
  let offset = 0;
  for (let i = 0; i < page; i++) offset = nextPage(item, offset);
  return offset;
}

function character(at: usize, offset: i32): u32 {
  return load<u8>(at + offset);
}
