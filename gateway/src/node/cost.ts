import type { Broadcast } from './broadcast.js';
import { COIN } from './genesis.js';
import type { Operation } from './operation.js';

/** An amount of one token, or of the coin under its id 0. */
export interface Sum {
  tokenId: bigint;
  amount: bigint;
}

/** What leaves the sender: the coins first (amount, fee and commission in one sum), then the tokens if any. */
export function costOf(broadcast: Broadcast, operation: Operation): [coins: Sum, ...tokens: Sum[]] {
  const coins = broadcast.fee + (broadcast.escrow?.commission ?? 0n);
  if (operation.kind !== 'payment') {
    return [{ tokenId: COIN, amount: coins }];
  }
  const { tokenId, amount } = operation;
  return tokenId === COIN
    ? [{ tokenId: COIN, amount: coins + amount }]
    : [
        { tokenId: COIN, amount: coins },
        { tokenId, amount },
      ];
}
