import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '../../../protocol/transaction-types';
import { Transaction } from '../transaction/transaction';
import { describeApproval } from './approval-escrow';
import { describeEscrow } from './escrow';
import { Items } from './items';
import { describeText } from './message';
import { putNetwork } from './network';
import { describeRecipientAndFee } from './recipient';
import { describeSendZbc } from './send-zbc';
import { TokenHint } from './token-hint';
import { describeToken } from './transfer-token';
import { putType } from './type';

/**
 * Forms every approval item of a transaction, in the order of signer-protocol §3. `linked` counts for an ApprovalEscrow only.
 */
export function describeTransaction(
  items: Items,
  genesisHash: usize,
  transaction: Transaction,
  linked: Transaction,
  hint: TokenHint,
): void {
  const type = transaction.type;
  items.begin('Network');
  putNetwork(items, genesisHash);
  items.begin('Type');
  putType(items, type);
  if (type === SEND_ZBC) describeSendZbc(items, transaction);
  if (type === TRANSFER_TOKEN) describeRecipientAndFee(items, transaction);
  describeText(items, 'Message', transaction.message, transaction.messageLength);
  if (transaction.hasEscrow) describeEscrow(items, transaction);
  if (type === TRANSFER_TOKEN) describeToken(items, transaction, hint);
  if (type === APPROVAL_ESCROW) describeApproval(items, transaction, linked);
}
