import { USER_REJECTED } from '../../../protocol/src/status-words';
import { reply } from '../handlers/reply';
import { closeReview, drawReview } from '../handlers/review';
import { APPROVED, decide, REJECTED, UNDECIDED } from '../screen/flow';
import { items, position, session } from '../session';
import { answerApproval } from './commands';
import { answerPending, checkRefusal } from './report';

/**
 * Acts on a button press during a review. Returns the length of the reply if the press approved or rejected
 * the review, and 0 otherwise.
 */
export function pressInReview(button: i32): i32 {
  position.notPressed = ~button;
  const decision = decide(position, items, button);
  if (decision === UNDECIDED) {
    position.move(items, button);
    drawReview();
    return 0;
  }
  const length = conclude(decision);
  closeReview();
  answerPending(length);
  if (decision !== APPROVED) checkRefusal();
  return length;
}

function conclude(decision: u32): i32 {
  if (decision === REJECTED) return reply(USER_REJECTED);
  if (decision !== APPROVED || !position.confirmsApproval()) unreachable();
  return answerApproval(session.reviewing);
}
