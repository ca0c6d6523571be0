import type { LedgerReader } from '../node/ledger/ledger.js';
import type { Balance } from '../node/store/records.js';
import { Store } from '../node/store/store.js';
import type { Table } from '../node/store/table.js';

/** The largest safe integer has this number of digits. */
const HEIGHT_DIGITS = 16;

/** A store that also keeps, for each block, the balances that this block changed. */
export class HistoryStore extends Store {
  /** Balances by `versionKey`. */
  readonly #versions: Table<string, Balance>;
  readonly #changed = new Map<string, Balance>();

  constructor(directory: string) {
    super(directory);
    this.#versions = this.table('versions');
  }

  override putBalance(key: string, balance: Balance): void {
    super.putBalance(key, balance);
    this.#changed.set(key, balance);
  }

  /**
   * Works like `Store.write`. Also forgets the balances that an earlier change recorded, which may have
   * failed.
   */
  override write<T>(change: () => T): T {
    this.#changed.clear();
    return super.write(change);
  }

  /** Keeps the changed balances as of this height. Must be called inside `write`. */
  keepVersions(height: bigint): void {
    for (const [key, balance] of this.#changed) this.#versions.put(versionKey(key, height), balance);
  }

  /** Keeps every balance as of height 0. Must be called inside `write`, before the first block. */
  keepGenesis(): void {
    for (const { key, value } of this.balances.entries()) this.#versions.put(versionKey(key, 0n), value);
  }

  /** Returns a reader of the balances after the block of this height. The reader has no escrows. */
  at(height: bigint): LedgerReader {
    return { balances: { get: key => this.#balanceAt(key, height) }, escrows: { get: () => undefined } };
  }

  #balanceAt(key: string, height: bigint): Balance | undefined {
    const [newest] = this.#versions.entries({
      start: versionKey(key, height),
      end: `${key}/`,
      reverse: true,
      limit: 1,
    });
    return newest?.value;
  }
}

/** Returns a key that sorts by height within each balance key. */
function versionKey(key: string, height: bigint): string {
  return `${key}/${height.toString().padStart(HEIGHT_DIGITS, '0')}`;
}
