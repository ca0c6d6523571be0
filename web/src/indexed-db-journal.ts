import { toHex } from '@zbc-signer/chain';
import {
  formatDocument,
  journalError,
  type PaymentEnd,
  type PaymentJournal,
  type PendingPayment,
  parseSignedDocument,
  type Reservation,
  type SignedTransaction,
} from '@zbc-signer/host';
import {
  broadcastStateAfter,
  duplicateKey,
  findUnsettled,
  isSettled,
  journalDamagedError,
  journalErrorBeforeSending,
  keptBroadcastState,
} from '@zbc-signer/host/journal';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { type Browser, currentBrowser } from './browser.js';
import { Database, requested } from './database.js';

const DATABASE = 'zbc-signer payments';
/** Object store of the entries; the key is the transaction hash in hex. */
const PAYMENTS = 'payments';
/**
 * Object store of the timestamps that payments have reserved. The keys have all the data; values are unused.
 */
const TIMESTAMPS = 'timestamps';
const TIMESTAMP = /-(\d{1,20})$/;
/** Timestamps are deleted after a day, because nodes reject timestamps that are more than an hour old. */
const KEPT_SECONDS = 86_400n;

/**
 * A signed document. `calls` is the number of calls of `signed` and `takeOver` for it, minus those that ended
 * with `notSent`.
 */
interface Entry {
  document: string;
  calls: number;
  isHeld: boolean;
}

/**
 * A journal in IndexedDB, for all tabs of an origin. A payment is on the disk before `signed` resolves, as
 * far as the browser knows. A payment is in flight while a tab that sends it holds a Web Lock for it. The
 * journal stores signed transactions, which are not secret, and no key.
 */
export class IndexedDbJournal implements PaymentJournal {
  readonly #browser: Browser;
  readonly #database: Database;
  /** Functions that release the locks of the payments that this tab sends, by hash in hex. */
  readonly #sending = new Map<string, () => void>();

  /** `answerMs` is the time after which a database that does not answer is considered blocked. */
  constructor(browser: Browser = currentBrowser(), answerMs?: number) {
    bindMembers(this);
    this.#browser = browser;
    this.#database = new Database(browser, DATABASE, [PAYMENTS, TIMESTAMPS], answerMs);
  }

  async signed(payment: SignedTransaction): Promise<void> {
    await this.#keep(payment, false);
  }

  /**
   * Stores a payment that another program may send, as held: this browser looks it up but does not send it.
   */
  async keepHeld(payment: SignedTransaction): Promise<void> {
    const entry = entryOf({ ...payment, sent: 'maybe' }, 1, true);
    await this.#transact(PAYMENTS, 'readwrite', store =>
      requested(store.put(entry, toHex(payment.transactionHash))),
    );
  }

  /**
   * Ends the hold of a payment, unless another pending payment has the same recipient. The payment stays
   * stored.
   */
  async letGo(payment: SignedTransaction): Promise<void> {
    if (findUnsettled(await this.pending(), payment).length === 0)
      await this.#mark(payment.transactionHash, false);
  }

  takeOver(payment: SignedTransaction): Promise<boolean> {
    return this.#keep(payment, true);
  }

  /** Stores the payment. If `wasFound` is set and the entry was deleted meanwhile, returns false instead. */
  async #keep(payment: SignedTransaction, wasFound: boolean): Promise<boolean> {
    const hash = toHex(payment.transactionHash);
    await this.#lock(hash);
    try {
      const isKept = await this.#transact(PAYMENTS, 'readwrite', async store => {
        const kept: unknown = await requested(store.get(hash));
        if (wasFound && kept === undefined) return false;
        const known = kept === undefined ? payment : readPayment(hash, kept);
        const entry = entryOf(
          { ...payment, sent: keptBroadcastState(known.sent) },
          callsOf(kept) + 1,
          wasHeld(kept),
        );
        await requested(store.put(entry, hash));
        return true;
      });
      if (!isKept) this.#free(hash);
      return isKept;
    } catch (error) {
      this.#free(hash);
      throw error;
    }
  }

  async ended(transactionHash: Uint8Array, end: PaymentEnd): Promise<void> {
    const hash = toHex(transactionHash);
    try {
      await this.#transact(PAYMENTS, 'readwrite', async store => {
        if (isSettled(end)) return requested(store.delete(hash));
        const kept: unknown = await requested(store.get(hash));
        if (kept === undefined) return undefined;
        const payment = readPayment(hash, kept);
        const calls = callsOf(kept) - (end === 'notSent' ? 1 : 0);
        if (calls === 0) return requested(store.delete(hash));
        const entry = entryOf({ ...payment, sent: broadcastStateAfter(end, payment) }, calls, wasHeld(kept));
        return requested(store.put(entry, hash));
      });
    } finally {
      this.#free(hash);
    }
  }

  /**
   * Returns the payments, oldest first. Throws `JOURNAL_FAILED` for a damaged entry; `facts.earlierHash` is
   * the hash of the entry, with which `ended` can delete it.
   */
  async pending(): Promise<readonly PendingPayment[]> {
    const [hashes, entries] = await this.#transact(PAYMENTS, 'readonly', store =>
      Promise.all([requested(store.getAllKeys()), requested<unknown[]>(store.getAll())]),
    );
    const sending = await this.#heldLocks();
    return hashes
      .map((hash, at) => ({
        ...readPayment(`${hash}`, entries[at]),
        isHeld: wasHeld(entries[at]),
        isInFlight: sending.has(lockName(`${hash}`)),
      }))
      .sort((a, b) => Number(a.transaction.timestamp - b.transaction.timestamp));
  }

  async hold(transactionHash: Uint8Array): Promise<void> {
    await this.#mark(transactionHash, true);
  }

  async #mark(transactionHash: Uint8Array, isHeld: boolean): Promise<void> {
    const hash = toHex(transactionHash);
    await this.#transact(PAYMENTS, 'readwrite', async store => {
      const kept: unknown = await requested(store.get(hash));
      if (kept === undefined) return undefined;
      return requested(store.put(entryOf(readPayment(hash, kept), callsOf(kept), isHeld), hash));
    });
  }

  reserve(payment: Reservation, taken: ReadonlySet<bigint>): Promise<bigint> {
    const oldest = payment.transaction.timestamp - KEPT_SECONDS;
    return this.#transact(TIMESTAMPS, 'readwrite', async store => {
      const keys = new Set((await requested(store.getAllKeys())).map(String));
      for (const key of keys) {
        if (BigInt(TIMESTAMP.exec(key)?.[1] ?? 0) < oldest) store.delete(key);
      }
      let { timestamp } = payment.transaction;
      while (taken.has(timestamp) || keys.has(timestampKey(payment, timestamp))) timestamp += 1n;
      await requested(store.put(true, timestampKey(payment, timestamp)));
      return timestamp;
    });
  }

  async release(payment: Reservation): Promise<void> {
    const key = timestampKey(payment, payment.transaction.timestamp);
    await this.#transact(TIMESTAMPS, 'readwrite', store => requested(store.delete(key)));
  }

  async #transact<Result>(
    name: string,
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#database.transact(name, mode, work);
    } catch (error) {
      throw mode === 'readonly' ? journalError(error) : journalErrorBeforeSending(error);
    }
  }

  /**
   * Takes the lock of a payment if it is free. This tab also sends the payment if another tab has the lock,
   * because the bytes are the same.
   */
  #lock(hash: string): Promise<void> {
    const { locks } = this.#browser;
    if (locks === undefined || this.#sending.has(hash)) return Promise.resolve();
    return new Promise(resolve => {
      const hold = async (lock: object | null) => {
        if (lock === null) return resolve();
        await new Promise<void>(free => {
          this.#sending.set(hash, free);
          resolve();
        });
      };
      locks.request(lockName(hash), { ifAvailable: true }, hold).catch(() => resolve());
    });
  }

  #free(hash: string): void {
    this.#sending.get(hash)?.();
    this.#sending.delete(hash);
  }

  async #heldLocks(): Promise<ReadonlySet<string | undefined>> {
    const { held = [] } = (await this.#browser.locks?.query()) ?? {};
    return new Set(held.map(({ name }) => name));
  }
}

function entryOf(payment: SignedTransaction, calls: number, isHeld: boolean): Entry {
  return { document: formatDocument(payment), calls, isHeld };
}

function wasHeld(entry: unknown): boolean {
  return Object(entry).isHeld === true;
}

function callsOf(entry: unknown): number {
  const { calls } = Object(entry);
  return typeof calls === 'number' ? calls : 0;
}

function readPayment(hash: string, entry: unknown): SignedTransaction {
  try {
    const payment = parseSignedDocument(String(Object(entry).document));
    if (toHex(payment.transactionHash) !== hash) throw new Error('its transaction has a different hash');
    return payment;
  } catch (error) {
    const fault = error instanceof Error ? error.message : 'the document cannot be read';
    throw journalDamagedError(`payment ${hash} of this browser`, hash, fault, error);
  }
}

function lockName(hash: string): string {
  return `zbc-signer payment ${hash}`;
}

function timestampKey(payment: Reservation, timestamp: bigint): string {
  return `${duplicateKey(payment)}-${timestamp}`;
}
