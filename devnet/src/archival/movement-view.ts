import { accountFromHex } from '@zbc-signer/chain';
import type { MovementRecord } from '../node/store/records.js';
import type { Store } from '../node/store/store.js';
import { viewName } from '../node/views/account.js';

/** Newest first, at most `limit`. */
export function viewMovements(store: Store, limit: number) {
  return store.movements.entries({ reverse: true, limit }).map(({ value }) => viewMovement(value));
}

function viewMovement(movement: MovementRecord) {
  const { kind, account, tokenId, amount, height, timestamp, transaction } = movement;
  return {
    kind,
    ...viewName(accountFromHex(account)),
    token_id: tokenId,
    amount,
    block_height: height,
    timestamp,
    ...(transaction !== undefined && { transaction_hash: transaction }),
  };
}
