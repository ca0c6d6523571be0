import type { ReviewItem } from '@zbc-signer/chain';

/** One item of two reviews side by side; `value` means the same title with another value. */
export interface ReviewRow {
  difference: 'none' | 'value' | 'missing' | 'extra';
  expected?: ReviewItem | undefined;
  shown?: ReviewItem | undefined;
}

/** Pairs the items of two reviews, in order, so that the fewest rows differ. */
export function alignReviews(expected: readonly ReviewItem[], shown: readonly ReviewItem[]): ReviewRow[] {
  const costs = countDifferences(expected, shown);
  const cost = (i: number, j: number) => costs[i]?.[j] ?? Number.POSITIVE_INFINITY;
  const rows: ReviewRow[] = [];
  for (let i = 0, j = 0; i < expected.length || j < shown.length; ) {
    const [left, right] = [expected[i], shown[j]];
    if (left && right && cost(i, j) === cost(i + 1, j + 1) + pairCost(left, right)) {
      rows.push({ difference: left[1] === right[1] ? 'none' : 'value', expected: left, shown: right });
      i++;
      j++;
    } else if (left && cost(i, j) === cost(i + 1, j) + 1) {
      rows.push({ difference: 'missing', expected: left });
      i++;
    } else {
      rows.push({ difference: 'extra', shown: right });
      j++;
    }
  }
  return rows;
}

/** `costs[i][j]`: the fewest differing rows of the items from i and from j on. */
function countDifferences(expected: readonly ReviewItem[], shown: readonly ReviewItem[]): number[][] {
  const costs = Array.from({ length: expected.length + 1 }, (_, i) =>
    Array.from({ length: shown.length + 1 }, (_, j) => expected.length - i + shown.length - j),
  );
  for (let i = expected.length - 1; i >= 0; i--) {
    for (let j = shown.length - 1; j >= 0; j--) {
      const pair = costs[i + 1]![j + 1]! + pairCost(expected[i]!, shown[j]!);
      costs[i]![j] = Math.min(pair, costs[i + 1]![j]! + 1, costs[i]![j + 1]! + 1);
    }
  }
  return costs;
}

/** Items with different titles never pair. */
function pairCost(expected: ReviewItem, shown: ReviewItem): number {
  if (expected[0] !== shown[0]) return Number.POSITIVE_INFINITY;
  return expected[1] === shown[1] ? 0 : 1;
}
