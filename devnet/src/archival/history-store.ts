import type { LedgerReader } from '../node/ledger/ledger.js';
import type { Balance } from '../node/store/records.js';
import { Store } from '../node/store/store.js';
import type { Table } from '../node/store/table.js';

/** Enough for the largest safe integer. */
const HEIGHT_DIGITS = 16;

/** A store that also keeps every balance as of each block that changed it. */
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

  /** As in `Store`; forgets what a failed change touched. */
  override write<T>(change: () => T): T {
    this.#changed.clear();
    return super.write(change);
  }

  /** Inside `write`: keeps the balances it changed as of this height. */
  keepVersions(height: bigint): void {
    for (const [key, balance] of this.#changed) this.#versions.put(versionKey(key, height), balance);
  }

  /** Inside `write`, before the first block: keeps every balance as of height 0. */
  keepGenesis(): void {
    for (const { key, value } of this.balances.entries()) this.#versions.put(versionKey(key, 0n), value);
  }

  /** The balances after the block of this height, without escrows. */
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

/** Sorts by height within each key. */
function versionKey(key: string, height: bigint): string {
  return `${key}/${height.toString().padStart(HEIGHT_DIGITS, '0')}`;
}
