import { Transaction } from '../transaction/transaction';
import { APPROVE } from '../transaction/types/approval-escrow';
import { Details, describeLinkedDetails } from './details';
import { describeCommission, describeTerms } from './escrow';
import { putAccount, putCoins, putText } from './format';
import { Items } from './items';
import { describeText } from './message';

/** Describes the decision, in large type. */
export function describeDecision(items: Items, transaction: Transaction): void {
  items.begin('Escrow decision');
  putText(items, transaction.approval === APPROVE ? 'APPROVE' : 'REJECT');
  items.enlarge();
}

/**
 * Describes the parties and the subject, from the linked transaction whose hash was verified, then the fee.
 */
export function describeApproval(
  items: Items,
  transaction: Transaction,
  linked: Transaction,
  details: Details,
): void {
  items.begin('Escrow sender');
  putAccount(items, linked.sender);
  items.begin('Escrow recipient');
  putAccount(items, linked.recipient);
  describeCommission(items, linked);
  describeTerms(items, linked, details);
  describeText(items, 'Escrow message', 'Escrow message hash', linked.message, linked.messageLength, details);
  if (details.shown) describeLinkedDetails(items, transaction, linked);
  items.begin('Fee');
  putCoins(items, transaction.fee);
}
