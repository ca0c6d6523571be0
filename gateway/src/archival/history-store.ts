import type { LedgerReader } from '../node/ledger.js';
import type { Purse } from '../node/records.js';
import { Store } from '../node/store.js';
import type { Table } from '../node/table.js';

/** Enough for every height that a table's key can be. */
const HEIGHT_DIGITS = 16;

/** A store that also keeps what every purse was after each block that changed it. */
export class HistoryStore extends Store {
  /** By `versionKey`. */
  readonly #versions: Table<string, Purse>;
  readonly #changed = new Map<string, Purse>();

  constructor(directory: string) {
    super(directory);
    this.#versions = this.table('versions');
  }

  override putPurse(key: string, purse: Purse): void {
    super.putPurse(key, purse);
    this.#changed.set(key, purse);
  }

  /** As in `Store`; what a change that failed has touched is forgotten. */
  override write<T>(change: () => T): T {
    this.#changed.clear();
    return super.write(change);
  }

  /** Inside `write`: keeps the purses that it changed as those of this height. */
  keepVersions(height: bigint): void {
    for (const [key, purse] of this.#changed) {
      this.#versions.put(versionKey(key, height), purse);
    }
  }

  /** Inside `write`, before the first block: keeps every purse as that of height 0. */
  keepGenesis(): void {
    for (const { key, value } of this.purses.entries()) {
      this.#versions.put(versionKey(key, 0n), value);
    }
  }

  /** What the rules read, as it was after the block of this height; it has no escrows. */
  at(height: bigint): LedgerReader {
    return { purses: { get: key => this.#purseAt(key, height) }, escrows: { get: () => undefined } };
  }

  #purseAt(key: string, height: bigint): Purse | undefined {
    const [newest] = this.#versions.entries({
      start: versionKey(key, height),
      end: `${key}/`,
      reverse: true,
      limit: 1,
    });
    return newest?.value;
  }
}

/** Sorts by height within one purse. */
function versionKey(purseKey: string, height: bigint): string {
  return `${purseKey}/${height.toString().padStart(HEIGHT_DIGITS, '0')}`;
}
