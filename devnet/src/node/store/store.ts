import { statfsSync } from 'node:fs';
import { RequestError } from '@zbc-signer/gateway/server';
import { open, type RootDatabase } from 'lmdb';
import type { Balance, BlockRecord, EscrowRecord, MovementRecord, TransactionRecord } from './records.js';
import { SignedTable } from './signed-table.js';
import { Table } from './table.js';

/**
 * Free space that a write needs. The largest block changes fewer pages than this, even if no two of its
 * changes are on the same page.
 */
const MIN_ROOM_BYTES = 64 * 1_048_576;

/**
 * Throws RequestError 503 if the directory's file system has too little room for a write. LMDB must not find
 * that out: when it describes a failed write, it overruns a buffer of 100 bytes, which aborts the process.
 */
function requireRoom(directory: string): void {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize >= MIN_ROOM_BYTES) return;
  throw new RequestError(503, 'The disk of this node has less than 64 MiB of free space');
}

/** The chain's state on disk. Nothing is cached in memory. */
export class Store {
  readonly #directory: string;
  readonly #environment: RootDatabase<string, string>;
  /** `open-store.ts` lists the keys. */
  readonly meta: Table<string, unknown>;
  /** The next sequence number of a transaction, of a grant and of a movement. */
  readonly counters: Table<string, bigint>;
  /** Balances by `balanceKey`. */
  readonly balances: Table<string, Balance>;
  /** The bytes of all transactions. */
  readonly signed: SignedTable;
  /** Transactions by hash. */
  readonly transactions: Table<string, TransactionRecord>;
  /** Hashes of all transactions, by sequence number. */
  readonly history: Table<number, string>;
  /** Hashes of the unconfirmed transactions, by sequence number. */
  readonly pending: Table<number, string>;
  /** Escrows by the hash of the escrowed transaction. */
  readonly escrows: Table<string, EscrowRecord>;
  /** Hashes of the escrows that are still held, by `deadlineKey`. */
  readonly deadlines: Table<string, string>;
  /** All blocks except the genesis, by height. */
  readonly blocks: Table<number, BlockRecord>;
  /** Movements by sequence number. */
  readonly movements: Table<number, MovementRecord>;

  /** Creates or opens the store of an existing directory. Throws RequestError 503 if it has too little room. */
  constructor(directory: string) {
    this.#directory = directory;
    requireRoom(directory);
    // Without overlapping syncs, a database transaction returns only after LMDB has flushed it to the disk.
    this.#environment = open({ path: directory, noSubdir: false, overlappingSync: false, maxDbs: 16 });
    this.meta = this.table('meta');
    this.counters = this.table('counters');
    this.balances = this.table('balances');
    this.signed = new SignedTable(this.#environment.openDB({ name: 'signed', encoding: 'binary' }));
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

  /** Hash of the genesis block, in lower-case hex. */
  get genesisHash(): string {
    return this.meta.get('genesis') as string;
  }

  /** Stores a balance. Every change of a balance must use this method. */
  putBalance(key: string, balance: Balance): void {
    this.balances.put(key, balance);
  }

  /**
   * Applies the change atomically; if it throws, nothing changes. The change is on disk when the method
   * returns. Throws RequestError 503 if the disk is almost full.
   */
  write<T>(change: () => T): T {
    requireRoom(this.#directory);
    return this.#environment.transactionSync(change);
  }

  /** Returns the next number of a counter, which begins at 0. Must be called inside `write`. */
  next(counter: string): bigint {
    const value = this.counters.get(counter) ?? 0n;
    this.counters.put(counter, value + 1n);
    return value;
  }

  async close(): Promise<void> {
    await this.#environment.close();
  }
}
