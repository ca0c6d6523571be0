import type { ReviewItem } from '@zbc-signer/chain';
import { align } from './alignment.js';

/** Two aligned items of reviews; `value` means the same title with a different value. */
export interface ReviewRow {
  difference: 'none' | 'value' | 'missing' | 'extra';
  expected?: ReviewItem | undefined;
  shown?: ReviewItem | undefined;
}

/** Pairs the items of two reviews, in order, so that the fewest rows differ. */
export function alignReviews(expected: readonly ReviewItem[], shown: readonly ReviewItem[]): ReviewRow[] {
  return align(expected, shown, pairCost).map(([left, right]): ReviewRow => {
    if (left === undefined) return { difference: 'extra', shown: right };
    if (right === undefined) return { difference: 'missing', expected: left };
    return { difference: left[1] === right[1] ? 'none' : 'value', expected: left, shown: right };
  });
}

/** Items with different titles never pair. */
function pairCost(expected: ReviewItem, shown: ReviewItem): number {
  if (expected[0] !== shown[0]) return Number.POSITIVE_INFINITY;
  return expected[1] === shown[1] ? 0 : 1;
}
