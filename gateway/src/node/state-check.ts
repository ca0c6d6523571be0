import { toHex } from '../../../chain/src/index.js';
import { latestBlock } from './block.js';
import { type Broadcast, parseBroadcast } from './broadcast.js';
import { costOf } from './cost.js';
import { COIN, COIN_SUPPLY_ATOMS, GENESIS_TOKENS } from './genesis.js';
import { purseKey } from './ledger.js';
import { parseOperation } from './operation.js';
import type { Store } from './store.js';

/** Amounts by purse or by token. */
class Tally {
  readonly #sums = new Map<string, bigint>();

  add(key: string, amount: bigint): void {
    this.#sums.set(key, this.of(key) + amount);
  }

  of(key: string): bigint {
    return this.#sums.get(key) ?? 0n;
  }
}

/**
 * What is wrong with the ledger, empty when nothing is: balances and holds add up to each supply, every purse's `held` to the
 * open escrows, every purse's `pending` to the unconfirmed transactions; no block is missing.
 */
export function checkState(store: Store): string[] {
  return [...checkSupplies(store), ...checkPurses(store), ...checkBlocks(store)];
}

function checkBlocks(store: Store): string[] {
  const { height } = latestBlock(store);
  const found = store.blocks.count();
  return BigInt(found) === height ? [] : [`${found} blocks found below height ${height}`];
}

function checkSupplies(store: Store): string[] {
  const found = new Tally();
  for (const { key, value } of store.purses.entries()) {
    found.add(key.slice(key.indexOf('/') + 1), value.balance + value.held);
  }
  return [{ id: COIN, supply: COIN_SUPPLY_ATOMS }, ...GENESIS_TOKENS]
    .filter(({ id, supply }) => found.of(`${id}`) !== supply)
    .map(({ id, supply }) => `token ${id}: ${found.of(`${id}`)} found of a supply of ${supply}`);
}

function checkPurses(store: Store): string[] {
  const held = tallyEscrows(store);
  const pending = tallyPending(store);
  return store.purses
    .entries()
    .flatMap(({ key, value }) => [
      ...(value.balance < value.pending ? [`${key}: more is pending than there is`] : []),
      ...(value.held !== held.of(key) ? [`${key}: ${value.held} held, ${held.of(key)} in escrows`] : []),
      ...(value.pending !== pending.of(key)
        ? [`${key}: ${value.pending} pending, ${pending.of(key)} in transactions`]
        : []),
    ]);
}

function tallyEscrows(store: Store): Tally {
  const held = new Tally();
  for (const { value: hash } of store.deadlines.entries()) {
    const { sender, tokenId, amount, commission } = store.escrows.get(hash)!;
    held.add(purseKey(sender, tokenId), amount);
    held.add(purseKey(sender, COIN), commission);
  }
  return held;
}

function tallyPending(store: Store): Tally {
  const pending = new Tally();
  for (const { value: hash } of store.pending.entries()) {
    const broadcast: Broadcast = parseBroadcast(store.transactions.get(hash)!.fields);
    for (const { tokenId, amount } of costOf(broadcast, parseOperation(broadcast))) {
      pending.add(purseKey(toHex(broadcast.sender), tokenId), amount);
    }
  }
  return pending;
}
