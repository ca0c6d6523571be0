import { type ContactStore, contactsError } from '@zbc-signer/host';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { type Browser, currentBrowser } from './browser.js';
import { Database, requested } from './database.js';

/** A database of its own: a new version of that of the payments would fail in tabs with an older page. */
const DATABASE = 'zbc-signer contacts';
const CONTACTS = 'contacts';
const KEY = 'document';

/**
 * Contacts in IndexedDB, for all tabs of an origin. If two tabs change them at the same moment, the change of
 * one is lost. Rejects with `CONTACTS_DAMAGED` if the browser cannot read or write them.
 */
export class IndexedDbContacts implements ContactStore {
  readonly #database: Database;

  constructor(browser: Browser = currentBrowser()) {
    bindMembers(this);
    this.#database = new Database(browser, DATABASE, [CONTACTS]);
  }

  async load(): Promise<string | undefined> {
    const text = await this.#transact('readonly', store => requested<unknown>(store.get(KEY)));
    return text === undefined ? undefined : String(text);
  }

  async store(text: string): Promise<void> {
    await this.#transact('readwrite', store => requested(store.put(text, KEY)));
  }

  async #transact<Result>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#database.transact(CONTACTS, mode, work);
    } catch (cause) {
      const done = mode === 'readonly' ? 'read' : 'written';
      throw contactsError(`the contacts of this browser cannot be ${done}`, cause);
    }
  }
}
