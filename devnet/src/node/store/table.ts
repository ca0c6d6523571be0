import { formatJson, parseJson } from '@zbc-signer/chain';
import type { Database, RangeOptions } from 'lmdb';

interface Entry<K, V> {
  key: K;
  value: V;
}

/**
 * An LMDB database of JSON values whose integers keep all digits. Call `put` and `remove` inside
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

  /** In key order, read at once: the table may be changed while iterating. */
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
