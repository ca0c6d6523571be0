// Combines pages into the items that they show.
import { type Page, UnreadablePage } from './page.js';

export interface ReadItem {
  title: string;
  value: string;
  inverse: boolean;
}

const NUMBERED = /^(.+) \((\d+)\/(\d+)\)$/;

/** Returns the items of the pages of a review, in order; throws if a page is missing or out of order. */
export function readItems(pages: readonly Page[]): ReadItem[] {
  const items: ReadItem[] = [];
  let expected = 0;
  let count = 0;
  for (const page of pages) {
    const [, title = page.title, number = '1', of = '1'] = NUMBERED.exec(page.title) ?? [];
    const value = page.large ?? page.lines.map(line => line.text + (line.ended ? '\n' : '')).join('');
    const inverse = page.lines[0]?.inverse ?? false;
    if (page.lines.some(line => line.inverse !== inverse))
      throw new UnreadablePage('an item is only partly inverse');
    if (number === '1') {
      if (expected !== count) throw new UnreadablePage('an item ends before its last page');
      items.push({ title, value, inverse });
      [expected, count] = [1, Number(of)];
      continue;
    }
    const item = items.at(-1);
    expected++;
    if (!item || item.title !== title || Number(number) !== expected || Number(of) !== count) {
      throw new UnreadablePage(`page ${page.title} is out of order`);
    }
    if (item.inverse !== inverse) throw new UnreadablePage('an item is only partly inverse');
    item.value += value;
  }
  if (expected !== count) throw new UnreadablePage('the last item ends before its last page');
  return items;
}
