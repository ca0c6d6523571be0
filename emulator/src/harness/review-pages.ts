import type { ReviewItem } from '@zbc-signer/chain';

// The two last pages of a review. An item's text can repeat their second line, never their title.
const APPROVE_TITLES = ['Sign transaction', 'Sign message', 'Approve'];
const REJECT_TITLES = ['Reject transaction', 'Reject message', 'Reject'];

const PAGED_TITLE = /^(.+) \((\d+)\/\d+\)$/;

export function isApprovePage([title = '', line, ...rest]: string[]): boolean {
  return APPROVE_TITLES.includes(title) && line === 'approve: press both' && rest.length === 0;
}

export function isRejectPage([title = '', line, ...rest]: string[]): boolean {
  return REJECT_TITLES.includes(title) && line === 'press both to reject' && rest.length === 0;
}

/**
 * Joins the texts of pages into items: pages `Title (1/3)` become one item, lines are joined without a
 * separator.
 */
export function joinPages(pages: string[][]): ReviewItem[] {
  const items: ReviewItem[] = [];
  for (const [title = '', ...lines] of pages) {
    const [, itemTitle = title, page = '1'] = PAGED_TITLE.exec(title) ?? [];
    const last = items.at(-1);
    if (page !== '1' && last?.[0] === itemTitle) last[1] += lines.join('');
    else items.push([itemTitle, lines.join('')]);
  }
  return items;
}
