import { COIN } from '../genesis.js';
import type { BlockMoment, EscrowRecord, EscrowState } from '../store/records.js';
import type { Store } from '../store/store.js';
import { credit, hold, unhold } from './ledger.js';
import { recordRelease } from './movements.js';

/** Returns a key that sorts by timeout; 20 digits hold every u64. */
function deadlineKey(timeout: bigint, hash: string): string {
  return `${timeout.toString().padStart(20, '0')}/${hash}`;
}

/** Holds the amount and the commission, which are already deducted, until `settleEscrow`. */
export function openEscrow(store: Store, hash: string, escrow: EscrowRecord): void {
  hold(store, escrow.sender, escrow.tokenId, escrow.amount);
  hold(store, escrow.sender, COIN, escrow.commission);
  store.escrows.put(hash, escrow);
  store.deadlines.put(deadlineKey(escrow.timeout, hash), hash);
}

/**
 * Ends an escrow. If it is approved, pays the amount to the recipient and the commission to the approver.
 * Otherwise returns both to the sender.
 */
export function settleEscrow(
  store: Store,
  hash: string,
  state: Exclude<EscrowState, 'held'>,
  at: BlockMoment,
): void {
  const escrow = store.escrows.get(hash);
  if (escrow?.state !== 'held') throw new Error(`escrow ${hash} is not held`);
  const { sender, recipient, approver, tokenId, amount, commission, timeout } = escrow;
  unhold(store, sender, tokenId, amount);
  unhold(store, sender, COIN, commission);
  credit(store, state === 'approved' ? recipient : sender, tokenId, amount);
  credit(store, state === 'approved' ? approver : sender, COIN, commission);
  store.escrows.put(hash, { ...escrow, state });
  store.deadlines.remove(deadlineKey(timeout, hash));
  recordSettlement(store, hash, { ...escrow, state }, at);
}

function recordSettlement(store: Store, hash: string, escrow: EscrowRecord, at: BlockMoment): void {
  const { state, sender, recipient, approver, tokenId, amount, commission } = escrow;
  const [kind, paid, earner] =
    state === 'approved' ? (['unlock', recipient, approver] as const) : (['refund', sender, sender] as const);
  recordRelease(store, kind, { account: paid, tokenId, amount }, hash, at);
  recordRelease(store, kind, { account: earner, tokenId: COIN, amount: commission }, hash, at);
}

/**
 * Returns the escrows that a block of this time must expire: those whose timeout is past and that have no
 * accepted decision.
 */
export function dueEscrows(store: Store, timestamp: bigint): string[] {
  return store.deadlines
    .entries({ end: deadlineKey(timestamp, '') })
    .map(({ value: hash }) => hash)
    .filter(hash => store.escrows.get(hash)?.decision === undefined);
}

/** Expires an escrow. Throws unless its timeout is before `at`. */
export function expireEscrow(store: Store, hash: string, at: BlockMoment): void {
  const escrow = store.escrows.get(hash);
  if (escrow === undefined || escrow.timeout >= at.timestamp) {
    throw new Error(`escrow ${hash} does not exist or has not expired`);
  }
  settleEscrow(store, hash, 'expired', at);
}
