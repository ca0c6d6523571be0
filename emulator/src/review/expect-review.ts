import type { ReviewItem } from '@zbc-signer/chain';
import { textsOf } from '../device/platform.js';
import { EmulatorError } from '../errors.js';
import { align } from './alignment.js';
import { attachScreenFault, nameTraceOnFailure } from './failure-trace.js';
import { type ReviewedEmulator, walkToApprovePage, walkToFirstPage } from './review.js';
import { joinPages, parseTitle } from './review-pages.js';

/**
 * The shown review differs from the expected one. The message aligns the items of the two reviews, `-` for
 * expected and `+` for actual.
 */
export class ReviewMismatchError extends EmulatorError {
  override readonly name = 'ReviewMismatchError';
  constructor(
    readonly expected: readonly ReviewItem[],
    readonly shown: readonly ReviewItem[],
  ) {
    super('REVIEW_MISMATCH', describeReviews(alignReviews(expected, shown)));
  }
}

/**
 * Waits for a review, compares all of its items from the first page on, and stays on the approve page. Line
 * feeds in an expected value are ignored, because on the screen they are ordinary line breaks. Throws
 * ReviewMismatchError, or the errors of `Emulator.waitForReview`.
 */
export function expectReview(emulator: ReviewedEmulator, items: readonly ReviewItem[]): Promise<void> {
  return nameTraceOnFailure(emulator, compareReview(emulator, items));
}

async function compareReview(emulator: ReviewedEmulator, items: readonly ReviewItem[]): Promise<void> {
  const shown = await readReview(emulator);
  const expected = items.map(([title, value]): ReviewItem => [title, value.replaceAll('\n', '')]);
  if (JSON.stringify(shown) !== JSON.stringify(expected)) throw mismatch(expected, shown);
  await emulator.confirmed();
}

/** The error for the first item that differs. */
function mismatch(expected: readonly ReviewItem[], shown: readonly ReviewItem[]): ReviewMismatchError {
  const row = alignReviews(expected, shown).find(({ difference }) => difference !== 'none');
  const error = new ReviewMismatchError(expected, shown);
  const isShown = ({ texts: [title = '', ...lines] }: { texts: readonly string[] }) =>
    parseTitle(title).title === row?.shown?.[0] && row.shown[1].startsWith(lines.join(''));
  return attachScreenFault(error, {
    ...(row?.shown && { isShown }),
    ...(row?.expected && { expected: { texts: row.expected } }),
  });
}

/** Waits for a review, returns to its first page and reads up to the approve page. */
async function readReview(emulator: ReviewedEmulator): Promise<ReviewItem[]> {
  await emulator.waitForReview();
  walkToFirstPage(emulator);
  return joinPages(walkToApprovePage(emulator).map(textsOf), true);
}

function describeReviews(rows: readonly ReviewRow[]): string {
  const differing = rows.filter(row => row.difference !== 'none').length;
  const items = rows.flatMap(({ expected, shown }) => [expected, shown]).filter(item => item !== undefined);
  const width = Math.max(0, ...items.map(([title]) => title.length));
  return [
    `the review differs: ${differing} of ${rows.length} items`,
    '',
    '  - expected',
    '  + actual',
    '',
    ...rows.flatMap(row => describeRow(row, width)),
  ].join('\n');
}

function describeRow({ expected, shown, difference }: ReviewRow, width: number): string[] {
  const line = (mark: string, [title, value]: ReviewItem) =>
    `  ${mark} ${title.padEnd(width)}  ${value}`.trimEnd();
  switch (difference) {
    case 'none':
      return [line(' ', shown!)];
    case 'missing':
      return [`${line('-', expected!)}   (not shown)`];
    case 'extra':
      return [`${line('+', shown!)}   (not expected)`];
    case 'value': {
      const column = commonStart(expected![1], shown![1]);
      return [line('-', expected!), line('+', shown!), `    ${' '.repeat(width + 2 + column)}^`];
    }
  }
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

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
