import { INTERNAL } from '../../../protocol/src/status-words';
import { showFrame } from '../screen/frame';
import { drawReviewPage } from '../screen/page';
import { clearCommand, clearReview } from '../seal';
import { items, position, session } from '../session';
import { showMenu } from './menu';
import { reply } from './reply';

/**
 * The subject of a review. Any two values differ in 16 bits, so a flipped bit does not turn one into another.
 */
const REVIEW_NONE: u32 = 0;
export const REVIEW_ADDRESS: u32 = 0x3c3c3c3c;
export const REVIEW_TRANSACTION: u32 = 0x5a5a5a5a;
export const REVIEW_MESSAGE: u32 = 0x66666666;
export const REVIEW_CONTACT: u32 = 0x0f0f0f0f;
/** No review is on the screen: the approved bytes wait for REVEAL. */
export const AWAITS_REVEAL: u32 = 0x33333333;

/** Returns whether a review is on the screen. */
export function isReviewing(): bool {
  switch (session.reviewing) {
    case REVIEW_NONE:
    case AWAITS_REVEAL:
      return false;
    case REVIEW_ADDRESS:
    case REVIEW_TRANSACTION:
    case REVIEW_MESSAGE:
    case REVIEW_CONTACT:
      return true;
    default:
      unreachable();
      return false;
  }
}

/**
 * Opens a review of the items. `approve` and `reject` are the titles of the last two pages. Returns 0,
 * because the reply is formed when the user decides, or the length of a refusal if the items did not fit.
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

/**
 * Ends the review, clears all data of its command except what REVEAL needs after its approval, and shows the menu.
 */
export function closeReview(): void {
  if (session.reviewing !== AWAITS_REVEAL) clearCommand();
  clearReview();
  showMenu();
}

/**
 * Shows the current page of the review. The page is drawn twice from the items in memory, and is shown only
 * if both drawings are equal, so that a fault cannot alter it.
 */
export function drawReview(): void {
  position.check(items);
  const drawn = draw(true);
  if (draw(false) !== drawn) unreachable();
  showFrame();
}

function draw(silent: bool): u64 {
  return drawReviewPage(items, position, session.approve, session.reject, silent);
}
