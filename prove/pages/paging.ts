// Proves where pages begin and end, and the number of a value's pages.
import { MAX_LINKED } from '@zbc-signer/protocol/limits';
import { ITEM_SIZE } from '../amounts/layout.js';
import { UnprovenClaim } from '../control.js';
import { type Drawing, requireSame } from './drawing.js';
import { ITEM } from './layout.js';
import { PictureDomain } from './picture-domain.js';
import type { Word } from './word.js';

export const LINES = 4;
/** Maximum number of pages of the longest value: all but the last have at least 4 characters. */
export const MOST_PAGES = MAX_LINKED / LINES;

/** Proves that each page of a value begins at the end of the previous page. */
export function provePageStarts(drawing: Drawing, most = MOST_PAGES): void {
  const title = drawing.titles().find(({ text }) => text === '');
  const item = drawing.layout.items;
  for (let page = 0; page < most; page++) {
    const domain = drawing.page(title!.address, title!.place, page, 1, 0);
    domain.write(item + ITEM.large, 1, 0);
    let [pages, drawn] = [0, false];
    domain.stubs.set(drawing.index('drawArrows'), () => []);
    domain.stubs.set(drawing.index('nextPage'), ([of, from]) => {
      requireSame([of!, from!], [item, pageStart(pages)], 'nextPage is called with wrong arguments');
      return [offset(++pages)];
    });
    domain.stubs.set(drawing.index('page/drawLines'), ([of, from]) => {
      requireSame([of!, from!], [item, pageStart(page)], 'drawLines is called with wrong arguments');
      drawn = true;
      return [];
    });
    drawing.run(domain, 'drawItemPage', [item]);
    if (!drawn) throw new UnprovenClaim('no lines are drawn');
  }
}

/** Proves that a page ends with its last drawn line: after four lines, or at the end of the value. */
export function proveNextPage(drawing: Drawing): void {
  const item = drawing.layout.items;
  for (let lines = 0; lines <= LINES; lines++) {
    // If the page has four lines, more lines follow.
    const domain = value(drawing, lines === LINES ? Number.POSITIVE_INFINITY : lines);
    let next = 0;
    domain.stubs.set(drawing.index('nextLine'), ([of, from]) => {
      requireSame([of!, from!], [item, offset(next)], 'nextLine is called with wrong arguments');
      return [offset(++next)];
    });
    const given = drawing.run(domain, 'nextPage', [item, offset(0)]);
    requireSame(given, [offset(lines)], 'a page ends at a wrong offset');
  }
}

/** Proves that there are as many pages as are needed to reach the end of the value. */
export function proveCountPages(drawing: Drawing): void {
  const item = drawing.layout.items;
  for (let pages = 1; pages <= MOST_PAGES; pages++) {
    const domain = value(drawing, pages);
    let next = 0;
    domain.stubs.set(drawing.index('nextPage'), ([of, from]) => {
      requireSame([of!, from!], [item, pageStart(next)], 'nextPage is called with wrong arguments');
      return [offset(++next)];
    });
    requireSame(drawing.run(domain, 'countPages', [item]), [pages], 'the number of pages is wrong');
  }
}

/** Returns an item whose value ends at this offset. */
function value(drawing: Drawing, end: number): PictureDomain {
  const item = drawing.layout.items;
  const domain = new PictureDomain(drawing.module, [{ start: item, length: ITEM_SIZE, isWritable: false }]);
  domain.write(item + ITEM.length, 4, { kind: 'place', name: 'length', plus: 0 });
  domain.isLess = ([a, b]) => {
    const index = typeof a === 'number' ? undefined : indexOf(a.name);
    requireSame(
      [b],
      [{ kind: 'place', name: 'length', plus: 0 }],
      'an offset is not compared with the length',
    );
    if (index === undefined) throw new UnprovenClaim('wrong addresses are compared');
    return index < end;
  };
  return domain;
}

export function offset(index: number): Word {
  return { kind: 'place', name: `offset ${index}`, plus: 0 };
}

function pageStart(page: number): Word {
  return page === 0 ? 0 : offset(page);
}

export function indexOf(name: string): number | undefined {
  const [, index] = /^offset (\d+)$/.exec(name) ?? [];
  return index === undefined ? undefined : Number(index);
}
