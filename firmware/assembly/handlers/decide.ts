import { INS_GET_PUBLIC_KEY, INS_SIGN_TX } from '../../../protocol/commands';
import { USER_REJECTED } from '../../../protocol/status-words';
import { APPROVED, decide, UNDECIDED } from '../screen/flow';
import { items, position, session } from '../session';
import { releasePublicKey } from './get-public-key';
import { reply } from './reply';
import { closeReview, drawReview } from './review';
import { releaseMessageSignature } from './sign-message';
import { releaseTransactionSignature } from './sign-tx';

/** Acts on a press during a review: 0, or the length of the reply when the press decided it. */
export function pressInReview(button: i32): i32 {
  const decision = decide(position, items, button);
  if (decision === UNDECIDED) {
    position.move(items, button);
    drawReview();
    return 0;
  }
  const length = decision === APPROVED ? release(session.reviewing) : reply(USER_REJECTED);
  closeReview();
  return length;
}

function release(ins: i32): i32 {
  if (ins === INS_GET_PUBLIC_KEY) return releasePublicKey();
  return ins === INS_SIGN_TX ? releaseTransactionSignature() : releaseMessageSignature();
}
