import { open, type RootDatabase } from 'lmdb';
import type { BlockRecord, EscrowRecord, Purse, TransactionRecord } from './records.js';
import { Table } from './table.js';

/** The chain's state on disk. Nothing of it is kept in memory, so what a write returned from is what a restart finds. */
export class Store {
  readonly #environment: RootDatabase<string, string>;
  /** `genesis`: the network's hash; `owner`: the process that has the directory open. */
  readonly meta: Table<string, unknown>;
  /** The next sequence number of a transaction, and of a grant. */
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
  /** Blocks that hold a transaction, by height; `latest` has the newest of all. */
  readonly blocks: Table<number, BlockRecord>;
  readonly latest: Table<string, BlockRecord>;

  constructor(directory: string) {
    // Without overlapping syncs a transaction returns only after LMDB has flushed it to the disk.
    this.#environment = open({ path: directory, noSubdir: false, overlappingSync: false, maxDbs: 16 });
    const table = <K extends string | number, V>(name: string) =>
      new Table<K, V>(this.#environment.openDB<string, K>({ name, encoding: 'string' }));
    this.meta = table('meta');
    this.counters = table('counters');
    this.purses = table('purses');
    this.transactions = table('transactions');
    this.history = table('history');
    this.pending = table('pending');
    this.escrows = table('escrows');
    this.deadlines = table('deadlines');
    this.blocks = table('blocks');
    this.latest = table('latest');
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
