import { formatJson, parseJson } from '@zbc-signer/chain';
import type { Database, RangeOptions } from 'lmdb';

interface Entry<K, V> {
  key: K;
  value: V;
}

/**
 * An LMDB database of JSON values whose integers keep all digits. `put` and `remove` must be called inside
 * `Store.write`.
 */
export class Table<K extends string | number, V> {
  readonly #database: Database<string, K>;

  constructor(database: Database<string, K>) {
    this.#database = database;
  }

  get(key: K): V | undefined {
    const text = this.#database.get(key);
    return text === undefined ? undefined : (parseJson(text) as V);
  }

  put(key: K, value: V): void {
    this.#database.putSync(key, formatJson(value));
  }

  remove(key: K): void {
    this.#database.removeSync(key);
  }

  /**
   * Returns the entries in key order. All are read at once, so the table may be changed while they are
   * iterated.
   */
  entries(range: RangeOptions = {}): Entry<K, V>[] {
    return [...this.#database.getRange(range)].map(({ key, value }) => ({
      key,
      value: parseJson(value) as V,
    }));
  }

  count(): number {
    return this.#database.getCount();
  }
}
