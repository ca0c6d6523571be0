import { SEND_ZBC, TRANSFER_TOKEN } from '../../../protocol/transaction-types';
import { putText } from './format';
import { Items } from './items';

/** Appends what a transaction of this type does, in the words of interface.md "Approval screens". */
export function putType(items: Items, type: u32): void {
  if (type === SEND_ZBC) putText(items, 'Send ZBC');
  else if (type === TRANSFER_TOKEN) putText(items, 'Send token');
  else putText(items, 'Approve escrow');
}
