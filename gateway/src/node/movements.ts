import { COIN, FEE_COLLECTOR } from './genesis.js';
import type { BlockMoment, MovementKind, MovementRecord } from './records.js';
import type { Store } from './store.js';

type Released = Pick<MovementRecord, 'account' | 'tokenId' | 'amount'>;

/** Inside `Store.write`: what left an escrow; nothing is recorded of an amount of 0. */
export function recordRelease(
  store: Store,
  kind: Exclude<MovementKind, 'reward'>,
  released: Released,
  transaction: string,
  at: BlockMoment,
): void {
  record(store, { kind, ...released, ...at, transaction });
}

/** Inside `Store.write`: all fees of one block; a block without any has no reward. */
export function recordReward(store: Store, amount: bigint, at: BlockMoment): void {
  record(store, { kind: 'reward', account: FEE_COLLECTOR, tokenId: COIN, amount, ...at });
}

function record(store: Store, movement: MovementRecord): void {
  if (movement.amount > 0n) {
    store.movements.put(Number(store.next('movements')), movement);
  }
}
