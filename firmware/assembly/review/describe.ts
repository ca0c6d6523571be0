import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '../../../protocol/src/transaction-types';
import { Transaction } from '../transaction/transaction';
import { describeApproval, describeDecision } from './approval-escrow';
import { Details, describeLinkedDetails, describeSender } from './details';
import { describeEscrow } from './escrow';
import { putText } from './format';
import { Items } from './items';
import { describeText } from './message';
import { describeNetwork } from './network';
import { describeRecipientAndFee } from './recipient';
import { describeEscrowedCoins, describeSendZbc } from './send-zbc';
import { TokenHint } from './token-hint';
import { describeEscrowedToken, describeToken } from './transfer-token';

/**
 * Adds every item of a transaction's review, in the order of docs/TRANSACTION.md#review-items. `linked` is
 * used only for an ApprovalEscrow.
 */
export function describeTransaction(
  items: Items,
  genesisHash: usize,
  transaction: Transaction,
  linked: Transaction,
  hint: TokenHint,
  details: Details,
): void {
  describeNetwork(items, genesisHash, details.shown);
  items.begin('Type');
  putText(items, typeName(transaction.type));
  if (details.shown) describeSender(items, transaction, details.index);
  describeBeforeMessage(items, transaction);
  describeText(items, 'Message', 'Message hash', transaction.message, transaction.messageLength, details);
  if (transaction.hasEscrow) describeEscrow(items, transaction, details);
  describeAfterEscrow(items, transaction, linked, hint, details);
}

/** Returns the name of a transaction type as in docs/TRANSACTION.md#review-items. */
function typeName(type: u32): string {
  switch (type) {
    case SEND_ZBC:
      return 'Send ZBC';
    case APPROVAL_ESCROW:
      return 'Approve escrow';
    case TRANSFER_TOKEN:
      return 'Send token';
    default:
      unreachable();
      return '';
  }
}

function describeBeforeMessage(items: Items, transaction: Transaction): void {
  if (transaction.type === SEND_ZBC) describeSendZbc(items, transaction);
  else if (transaction.type === TRANSFER_TOKEN) describeRecipientAndFee(items, transaction);
  else if (transaction.type !== APPROVAL_ESCROW) unreachable();
}

function describeAfterEscrow(
  items: Items,
  transaction: Transaction,
  linked: Transaction,
  hint: TokenHint,
  details: Details,
): void {
  if (transaction.type === TRANSFER_TOKEN) {
    describeToken(items, transaction, hint);
  } else if (transaction.type === APPROVAL_ESCROW) {
    describeDecision(items, transaction, details);
    describeEscrowedAmount(items, linked, details);
    describeApproval(items, transaction, linked, details);
  } else if (transaction.type !== SEND_ZBC) {
    unreachable();
  }
}

/** Adds the items of the type and the amount of the escrow that an ApprovalEscrow decides. */
function describeEscrowedAmount(items: Items, linked: Transaction, details: Details): void {
  items.begin('Escrow type');
  putText(items, typeName(linked.type));
  if (details.shown) describeLinkedDetails(items, linked);
  if (linked.type === SEND_ZBC) describeEscrowedCoins(items, linked);
  else if (linked.type === TRANSFER_TOKEN) describeEscrowedToken(items, linked);
  else unreachable();
}
