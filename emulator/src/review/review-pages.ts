import type { ReviewItem } from '@zbc-signer/chain';

// Titles of the last two pages of a review. An item's text can repeat their second line, but not their title.
const APPROVE_TITLES = ['Sign transaction', 'Sign message', 'Save contact', 'Approve'];
const REJECT_TITLES = ['Reject transaction', 'Reject message', 'Reject contact', 'Reject'];

const PAGED_TITLE = /^(.+) \((\d+)\/(\d+)\)$/;

export function isApprovePage([title = '', line, ...rest]: string[]): boolean {
  return APPROVE_TITLES.includes(title) && line === 'approve: press both' && rest.length === 0;
}

export function isRejectPage([title = '', line, ...rest]: string[]): boolean {
  return REJECT_TITLES.includes(title) && line === 'press both to reject' && rest.length === 0;
}

/** An item, with the pages read so far. */
interface ItemPages {
  title: string;
  page: number;
  count: number;
  /** The title of the last page, with its number. */
  pageTitle: string;
  value: string;
}

/**
 * Joins the texts of pages into items: pages `Title (1/3)` to `Title (3/3)` become one item, lines are joined
 * without a separator. A page out of sequence becomes a separate item, and an item without its last pages
 * keeps the number. The first page may be in the middle of an item unless the pages begin `atFirst`.
 */
export function joinPages(pages: readonly string[][], atFirst = false): ReviewItem[] {
  const items: ItemPages[] = [];
  for (const [pageTitle = '', ...lines] of pages) {
    const { title, page, count } = parseTitle(pageTitle);
    const last = items.at(-1);
    const value = lines.join('');
    if (last && page > 1 && last.title === title && last.page + 1 === page && last.count === count) {
      Object.assign(last, { page, pageTitle, value: last.value + value });
    } else if (page === 1 || (!last && !atFirst)) items.push({ title, page, count, pageTitle, value });
    else items.push({ title: pageTitle, page: 1, count: 1, pageTitle, value });
  }
  return items.map(item => [item.page === item.count ? item.title : item.pageTitle, item.value]);
}

/** An item's title, and the number of this page. */
export function parseTitle(pageTitle: string): { title: string; page: number; count: number } {
  const [, title = pageTitle, page = '1', count = '1'] = PAGED_TITLE.exec(pageTitle) ?? [];
  return { title, page: Number(page), count: Number(count) };
}
