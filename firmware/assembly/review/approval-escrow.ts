import { Transaction } from '../transaction/transaction';
import { APPROVE } from '../transaction/types/approval-escrow';
import { describeName } from './contact';
import { Details, describeHash } from './details';
import { describeCommission, describeTerms } from './escrow';
import { putAccount, putCoins, putText } from './format';
import { Items } from './items';
import { describeText } from './message';

/** Adds the item of the decision, in large type, and the detail item with the escrow hash. */
export function describeDecision(items: Items, transaction: Transaction, details: Details): void {
  items.begin('Escrow decision');
  putText(items, transaction.approval === APPROVE ? 'APPROVE' : 'REJECT');
  items.enlarge();
  if (details.shown) describeHash(items, 'Escrow transaction', transaction.escrowHash);
}

/**
 * Adds the items of the escrow and the fee of the approval. The items of the escrow are from the linked
 * transaction, whose hash was verified.
 */
export function describeApproval(
  items: Items,
  transaction: Transaction,
  linked: Transaction,
  details: Details,
): void {
  items.begin('Escrow sender');
  putAccount(items, linked.sender);
  describeName(items, 'Recipient contact', linked.recipient);
  items.begin('Escrow recipient');
  putAccount(items, linked.recipient);
  describeCommission(items, linked);
  describeTerms(items, linked, details);
  describeText(items, 'Escrow message', 'Escrow message hash', linked.message, linked.messageLength, details);
  items.begin('Fee');
  putCoins(items, transaction.fee);
}
