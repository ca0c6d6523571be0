import { COIN } from '../genesis.js';
import type { Broadcast } from './broadcast.js';
import type { Operation } from './operation.js';

/** Base of the minimum fee: 0.025 coins (docs/TRANSACTION.md#limits). */
const BASE_FEE_ATOMS = 2_500_000n;

/** Body length up to which no rent is paid. The bodies of types 1, 4 and 11 are not longer. */
const RENT_FREE_BODY_BYTES = 36n;
const RENT_ATOMS_PER_BODY_BYTE = 1_000n;

/**
 * Returns the minimum fee: the base, which is the same for every type, times the network's scale, plus the
 * rent. The rent depends only on the length of the body, because `estimate-fee` receives no other size.
 */
export function minimumFeeAtoms(bodyLength: bigint, feeScale: bigint): bigint {
  const charged = bodyLength > RENT_FREE_BODY_BYTES ? bodyLength - RENT_FREE_BODY_BYTES : 0n;
  return BASE_FEE_ATOMS * feeScale + charged * RENT_ATOMS_PER_BODY_BYTE;
}

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
