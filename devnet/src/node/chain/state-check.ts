import { toHex } from '@zbc-signer/chain';
import { COIN, COIN_SUPPLY_ATOMS, TOKENS } from '../genesis.js';
import { balanceKey } from '../ledger/ledger.js';
import type { Store } from '../store/store.js';
import { costOf } from '../transaction/cost.js';
import { parseOperation } from '../transaction/operation.js';
import { latestBlock } from './block.js';

/** Amounts by `balanceKey` or by token. */
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
 * Returns the problems of the ledger; an empty list if there are none. Balances and holds must add up to each
 * supply, every `held` to the open escrows, and every `pending` to the unconfirmed transactions. No block and
 * no transaction may be missing, and no unconfirmed transaction may be altered.
 */
export function checkState(store: Store): string[] {
  const problems = checkTransactions(store);
  if (problems.length > 0) return problems;
  return [...checkSupplies(store), ...checkBalances(store), ...checkBlocks(store)];
}

function checkTransactions(store: Store): string[] {
  const [known, kept] = [store.transactions.count(), store.signed.count()];
  const pending = store.pending.entries().map(({ value }) => value);
  return [
    ...(kept < known ? [`only ${kept} of ${known} transactions are stored`] : []),
    ...pending
      .filter(hash => store.signed.find(hash) === undefined)
      .map(hash => `unconfirmed transaction ${hash} is missing or altered`),
  ];
}

function checkBlocks(store: Store): string[] {
  const { height } = latestBlock(store);
  const found = store.blocks.count();
  return BigInt(found) === height
    ? []
    : [`${found} blocks are stored, but the newest block has height ${height}`];
}

function checkSupplies(store: Store): string[] {
  const found = new Tally();
  for (const { key, value } of store.balances.entries()) {
    found.add(key.slice(key.indexOf('/') + 1), value.balance + value.held);
  }
  return [{ id: COIN, supply: COIN_SUPPLY_ATOMS }, ...TOKENS]
    .filter(({ id, supply }) => found.of(`${id}`) !== supply)
    .map(
      ({ id, supply }) =>
        `token ${id}: the supply is ${supply}, but balances and holds add up to ${found.of(`${id}`)}`,
    );
}

function checkBalances(store: Store): string[] {
  const held = tallyEscrows(store);
  const pending = tallyPending(store);
  return store.balances
    .entries()
    .flatMap(({ key, value }) => [
      ...(value.balance < value.pending ? [`${key}: the pending amount exceeds the balance`] : []),
      ...(value.held !== held.of(key)
        ? [`${key}: ${value.held} is held, but open escrows hold ${held.of(key)}`]
        : []),
      ...(value.pending !== pending.of(key)
        ? [`${key}: ${value.pending} is pending, but unconfirmed transactions cost ${pending.of(key)}`]
        : []),
    ]);
}

function tallyEscrows(store: Store): Tally {
  const held = new Tally();
  for (const { value: hash } of store.deadlines.entries()) {
    const { sender, tokenId, amount, commission } = store.escrows.get(hash)!;
    held.add(balanceKey(sender, tokenId), amount);
    held.add(balanceKey(sender, COIN), commission);
  }
  return held;
}

function tallyPending(store: Store): Tally {
  const pending = new Tally();
  for (const { value: hash } of store.pending.entries()) {
    const { broadcast } = store.signed.get(hash);
    for (const { tokenId, amount } of costOf(broadcast, parseOperation(broadcast))) {
      pending.add(balanceKey(toHex(broadcast.sender), tokenId), amount);
    }
  }
  return pending;
}
