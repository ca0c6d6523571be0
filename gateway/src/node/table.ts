import type { Database, RangeOptions } from 'lmdb';
import { formatJson, parseJson } from '../json.js';

export interface Entry<K, V> {
  key: K;
  value: V;
}

/** One LMDB database of JSON values with all their digits; it trusts what it wrote itself. Writes belong inside `Store.write`. */
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

  /** In key order; collected at once, so that the table may be changed while they are gone through. */
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
