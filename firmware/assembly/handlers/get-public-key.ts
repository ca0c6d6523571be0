import { P1_CONFIRM } from '../../../protocol/src/commands';
import { ADDRESS_LENGTH, PUBLIC_KEY_LENGTH } from '../../../protocol/src/limits';
import { MALFORMED, OK, WRONG_LENGTH } from '../../../protocol/src/status-words';
import { formatAddress } from '../review/address';
import { describeAddress } from '../review/message';
import { sumOfItems } from '../seal';
import { apduBuffer, items, ownAccount, session } from '../session';
import { Command } from './command';
import { checkOwnAccount, isAccountIndex, loadOwnAccount, writePublicKey } from './key';
import { reply, replyData } from './reply';
import { openReview, REVIEW_ADDRESS } from './review';
import { showsDetails } from './settings';

const REQUEST = 4;
/**
 * A confirmation of an address always shows an account index from this number on. If the user did not see it,
 * a host could have funds sent to an account with a remote index and demand a ransom for the index.
 */
const FAR_INDEX: u32 = 1000;

/** Answers GET_PUBLIC_KEY, at once or after a confirmation on the screen. */
export function answerPublicKey(command: Command): i32 {
  if (command.length !== REQUEST) return reply(WRONG_LENGTH);
  const index = load<u32>(command.data);
  if (!isAccountIndex(index)) return reply(MALFORMED);
  if (command.p1 !== P1_CONFIRM) return replySilently(index);
  const status = loadOwnAccount(index);
  if (status !== OK) return reply(status);
  session.account = index;
  formItems();
  return openReview(REVIEW_ADDRESS, 'Approve', 'Reject');
}

/** Replies at once, without a change of what another host has begun. */
function replySilently(index: u32): i32 {
  const status = writePublicKey(apduBuffer, index);
  return status === OK ? replyPublicKey() : reply(status);
}

function formItems(): void {
  const index = session.account;
  items.clear();
  describeAddress(items, ownAccount + 4, index, showsDetails() || index >= FAR_INDEX);
}

/**
 * Replies with the public key of the confirmed address. Called only after an approval. The address is first
 * formatted again and compared with the reviewed one.
 */
export function answerApprovedAddress(): i32 {
  const shown = sumOfItems();
  formItems();
  if (sumOfItems() !== shown) unreachable();
  const status = checkOwnAccount(session.account);
  if (status !== OK) return reply(status);
  memory.copy(apduBuffer, ownAccount + 4, PUBLIC_KEY_LENGTH);
  const length = replyPublicKey();
  const address = items.at(items.count - 1).value;
  if (memory.compare(apduBuffer + PUBLIC_KEY_LENGTH, address, ADDRESS_LENGTH) !== 0) unreachable();
  return length;
}

/** Replies with the public key in the APDU buffer and its address. */
function replyPublicKey(): i32 {
  formatAddress(apduBuffer + PUBLIC_KEY_LENGTH, apduBuffer);
  return replyData(PUBLIC_KEY_LENGTH + ADDRESS_LENGTH, OK);
}
