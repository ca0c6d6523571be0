import { INTERNAL } from '../../../protocol/src/status-words';
import { showReviewPage } from '../screen/page';
import { clearCommand } from '../seal';
import { items, position, session } from '../session';
import { showMenu } from './menu';
import { reply } from './reply';

/**
 * The subject of a review: any two values differ in 16 bits, so that no flipped bit turns one into another.
 */
const REVIEW_NONE: u32 = 0;
export const REVIEW_ADDRESS: u32 = 0x3c3c3c3c;
export const REVIEW_TRANSACTION: u32 = 0x5a5a5a5a;
export const REVIEW_MESSAGE: u32 = 0x66666666;

/** Whether a review is on the screen. */
export function isReviewing(): bool {
  const review = session.reviewing;
  if (review === REVIEW_NONE) return false;
  if (review !== REVIEW_ADDRESS && review !== REVIEW_TRANSACTION && review !== REVIEW_MESSAGE) unreachable();
  return true;
}

/**
 * Puts the items on the screen for a decision; returns 0 while the user decides. `approve` and `reject` are
 * the titles of the last two pages.
 */
export function openReview(review: u32, approve: string, reject: string): i32 {
  if (items.overflowed) return reply(INTERNAL);
  session.reviewing = review;
  session.approve = approve;
  session.reject = reject;
  position.open(items);
  drawReview();
  return 0;
}

/** Ends the review, clears all data of its command, and shows the menu. */
export function closeReview(): void {
  clearCommand();
  showMenu();
}

/** Draws the review's current page. */
export function drawReview(): void {
  showReviewPage(items, position, session.approve, session.reject);
}
