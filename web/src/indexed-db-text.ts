import type { TextStore } from '@zbc-signer/host';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { type Browser, currentBrowser } from './browser.js';
import { Database, requested } from './database.js';

const KEY = 'document';

/**
 * A text in IndexedDB, for all tabs of an origin. If two tabs change it at the same moment, the change of one is lost.
 * Each text has a database of its own: a new version of one would fail in tabs with an older page.
 */
export class IndexedDbText implements TextStore {
  readonly #database: Database;

  constructor(
    private readonly name: string,
    browser: Browser = currentBrowser(),
  ) {
    bindMembers(this);
    this.#database = new Database(browser, `zbc-signer ${name}`, [name]);
  }

  async load(): Promise<string | undefined> {
    const read = (store: IDBObjectStore) => requested<unknown>(store.get(KEY));
    const text = await this.#database.transact(this.name, 'readonly', read);
    return text === undefined ? undefined : String(text);
  }

  async store(text: string): Promise<void> {
    await this.#database.transact(this.name, 'readwrite', store => requested(store.put(text, KEY)));
  }
}
