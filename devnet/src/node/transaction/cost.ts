import { COIN } from '../genesis.js';
import type { Broadcast } from './broadcast.js';
import type { Operation } from './operation.js';

/** An amount of one token; the coin has id 0. */
export interface TokenSum {
  tokenId: bigint;
  amount: bigint;
}

/**
 * Returns the sums that the sender pays: first the coins (amount, fee and commission together), then the
 * tokens, if any.
 */
export function costOf(broadcast: Broadcast, operation: Operation): [coins: TokenSum, ...tokens: TokenSum[]] {
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
