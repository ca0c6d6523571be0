import { INS_GET_PUBLIC_KEY } from '../../../protocol/commands';
import { ADDRESS, PUBLIC_KEY } from '../../../protocol/limits';
import { MALFORMED, OK, WRONG_LENGTH } from '../../../protocol/status-words';
import { formatAddress } from '../review/address';
import { describeAddress } from '../review/message';
import { apduBuffer, items, ownAccount, session } from '../session';
import { isAccountIndex, loadOwnAccount } from './key';
import { reply, replyData } from './reply';
import { openReview } from './review';

const REQUEST = 4;

/** Answers GET_PUBLIC_KEY, at once or after a confirmation on the screen. */
export function answerPublicKey(data: usize, length: i32, confirm: bool): i32 {
  if (length !== REQUEST) return reply(WRONG_LENGTH);
  session.account = load<u32>(data);
  if (!isAccountIndex(session.account)) return reply(MALFORMED);
  const status = loadOwnAccount(session.account);
  if (status !== OK) return reply(status);
  if (!confirm) return releasePublicKey();
  items.clear();
  describeAddress(items, ownAccount + 4);
  return openReview(INS_GET_PUBLIC_KEY);
}

/** Replies with the public key and the address of the own account. */
export function releasePublicKey(): i32 {
  memory.copy(apduBuffer, ownAccount + 4, PUBLIC_KEY);
  formatAddress(apduBuffer + PUBLIC_KEY, ownAccount + 4);
  return replyData(PUBLIC_KEY + ADDRESS, OK);
}
