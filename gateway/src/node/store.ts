import { open, type RootDatabase } from 'lmdb';
import type { BlockRecord, EscrowRecord, MovementRecord, Purse, TransactionRecord } from './records.js';
import { Table } from './table.js';

/** The chain's state on disk. Nothing of it is kept in memory, so what a write returned from is what a restart finds. */
export class Store {
  readonly #environment: RootDatabase<string, string>;
  /** See `open-store.ts` for what is in it. */
  readonly meta: Table<string, unknown>;
  /** The next sequence number of a transaction, of a grant and of a movement. */
  readonly counters: Table<string, bigint>;
  /** By `purseKey`. */
  readonly purses: Table<string, Purse>;
  /** By hash. */
  readonly transactions: Table<string, TransactionRecord>;
  /** Hashes of all transactions, by sequence number. */
  readonly history: Table<number, string>;
  /** Hashes of the unconfirmed ones, by sequence number. */
  readonly pending: Table<number, string>;
  /** By the hash of the escrowed transaction. */
  readonly escrows: Table<string, EscrowRecord>;
  /** Hashes of the escrows still held, by `deadlineKey`. */
  readonly deadlines: Table<string, string>;
  /** All but the genesis, by height. */
  readonly blocks: Table<number, BlockRecord>;
  /** By sequence number. */
  readonly movements: Table<number, MovementRecord>;

  constructor(directory: string) {
    // Without overlapping syncs a transaction returns only after LMDB has flushed it to the disk.
    this.#environment = open({ path: directory, noSubdir: false, overlappingSync: false, maxDbs: 16 });
    this.meta = this.table('meta');
    this.counters = this.table('counters');
    this.purses = this.table('purses');
    this.transactions = this.table('transactions');
    this.history = this.table('history');
    this.pending = this.table('pending');
    this.escrows = this.table('escrows');
    this.deadlines = this.table('deadlines');
    this.blocks = this.table('blocks');
    this.movements = this.table('movements');
  }

  protected table<K extends string | number, V>(name: string): Table<K, V> {
    return new Table<K, V>(this.#environment.openDB<string, K>({ name, encoding: 'string' }));
  }

  /** Every change of a balance comes through here. */
  putPurse(key: string, purse: Purse): void {
    this.purses.put(key, purse);
  }

  /** All of the change or, when it throws, nothing of it; durable when this returns. */
  write<T>(change: () => T): T {
    return this.#environment.transactionSync(change);
  }

  /** Inside `write`: 0 the first time, then one more each time. */
  next(counter: string): bigint {
    const value = this.counters.get(counter) ?? 0n;
    this.counters.put(counter, value + 1n);
    return value;
  }

  async close(): Promise<void> {
    await this.#environment.close();
  }
}
