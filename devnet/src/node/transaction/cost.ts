import { COIN } from '../genesis.js';
import type { Broadcast } from './broadcast.js';
import type { Operation } from './operation.js';

/** An amount of one token; the coin has id 0. */
export interface Sum {
  tokenId: bigint;
  amount: bigint;
}

/** The sums that the sender pays: coins (amount, fee, commission) in one, then tokens, if any. */
export function costOf(broadcast: Broadcast, operation: Operation): [coins: Sum, ...tokens: Sum[]] {
  const coins = broadcast.fee + (broadcast.escrow?.commission ?? 0n);
  if (operation.kind !== 'payment') return [{ tokenId: COIN, amount: coins }];
  const { tokenId, amount } = operation;
  return tokenId === COIN
    ? [{ tokenId: COIN, amount: coins + amount }]
    : [
        { tokenId: COIN, amount: coins },
        { tokenId, amount },
      ];
}
