import type { Browser } from './browser.js';

const VERSION = 1;
/** A database that does not answer for this long is considered blocked. */
const ANSWER_MS = 5_000;

/** An IndexedDB database, opened for each call so that an idle tab never blocks an upgrade by another tab. */
export class Database {
  /** `stores` are the names of the object stores to create, whose keys are not part of the values. */
  constructor(
    private readonly browser: Browser,
    private readonly name: string,
    private readonly stores: readonly string[],
    private readonly answerMs = ANSWER_MS,
  ) {}

  /**
   * Resolves when the transaction is on the disk. If the transaction takes too long, it is aborted and has no
   * effect. If it can no longer be aborted, the call waits for its end.
   */
  async transact<Result>(
    store: string,
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> {
    let database: IDBDatabase | undefined;
    try {
      database = await this.#open();
      const transaction = database.transaction(store, mode, { durability: 'strict' });
      const ended = endOf(transaction);
      const timer = setTimeout(() => abort(transaction), this.answerMs);
      try {
        const result = await work(transaction.objectStore(store));
        await ended;
        return result;
      } catch (error) {
        abort(transaction);
        await ended.catch(() => undefined);
        // If there is an error of the transaction, it explains why the request failed.
        throw transaction.error ?? error;
      } finally {
        clearTimeout(timer);
      }
    } finally {
      database?.close();
    }
  }

  #open(): Promise<IDBDatabase> {
    const { indexedDB } = this.browser;
    if (indexedDB === undefined) return Promise.reject(new Error('this browser has no IndexedDB'));
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(this.name, VERSION);
      let isLate = false;
      const fail = (message: string) => {
        isLate = true;
        reject(new Error(message));
      };
      const timer = setTimeout(() => fail('IndexedDB does not answer'), this.answerMs);
      request.onupgradeneeded = () => {
        for (const name of this.stores) request.result.createObjectStore(name);
      };
      request.onblocked = () => fail('another tab keeps an older version of the database open');
      request.onerror = () => {
        clearTimeout(timer);
        reject(request.error);
      };
      request.onsuccess = () => {
        clearTimeout(timer);
        if (isLate) request.result.close();
        else resolve(request.result);
      };
    });
  }
}

/** Resolves with the result of a request. */
export function requested<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves when the transaction is complete; rejects if it had no effect. */
function endOf(transaction: IDBTransaction): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB aborted the transaction'));
  });
  ended.catch(() => undefined);
  return ended;
}

/** Does nothing if the transaction has ended or is being written. */
function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {}
}
