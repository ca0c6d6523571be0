import { COIN, TREASURY_HEX } from '../genesis.js';
import type { BlockMoment, MovementKind, MovementRecord } from '../store/records.js';
import type { Store } from '../store/store.js';

type Released = Pick<MovementRecord, 'account' | 'tokenId' | 'amount'>;

/** Records an amount that left an escrow, unless it is 0. Must be called inside `Store.write`. */
export function recordRelease(
  store: Store,
  kind: Exclude<MovementKind, 'reward'>,
  released: Released,
  transaction: string,
  at: BlockMoment,
): void {
  record(store, { kind, ...released, ...at, transaction });
}

/** Records the fees of one block, unless they are 0. Must be called inside `Store.write`. */
export function recordReward(store: Store, amount: bigint, at: BlockMoment): void {
  record(store, { kind: 'reward', account: TREASURY_HEX, tokenId: COIN, amount, ...at });
}

function record(store: Store, movement: MovementRecord): void {
  if (movement.amount > 0n) store.movements.put(Number(store.next('movements')), movement);
}
