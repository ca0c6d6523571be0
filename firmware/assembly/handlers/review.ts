import { INS_GET_PUBLIC_KEY, INS_SIGN_TX } from '../../../protocol/commands';
import { INTERNAL } from '../../../protocol/status-words';
import { drawReviewPage } from '../screen/page';
import { items, position, session } from '../session';
import { showMenu } from './menu';
import { reply } from './reply';

/** Puts the items on the screen for a decision on the command `ins`; 0 while the user decides. */
export function openReview(ins: i32): i32 {
  if (items.overflowed) return reply(INTERNAL);
  session.reviewing = ins;
  position.open(items);
  drawReview();
  return 0;
}

/** Ends the review and shows the menu. */
export function closeReview(): void {
  session.reviewing = 0;
  showMenu();
}

/** Draws the review's present page. */
export function drawReview(): void {
  const ins = session.reviewing;
  if (ins === INS_GET_PUBLIC_KEY) drawReviewPage(items, position, 'Approve', 'Reject');
  else if (ins === INS_SIGN_TX) drawReviewPage(items, position, 'Sign transaction', 'Reject transaction');
  else drawReviewPage(items, position, 'Sign message', 'Reject message');
}
