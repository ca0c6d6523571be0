import { contactsError } from '@zbc-signer/host';
import { type Browser, currentBrowser } from './browser.js';
import { IndexedDbText } from './indexed-db-text.js';

/** Contacts in IndexedDB. Rejects with `CONTACTS_DAMAGED` if the browser cannot read or write them. */
export class IndexedDbContacts extends IndexedDbText {
  constructor(browser: Browser = currentBrowser()) {
    super('contacts', browser);
  }

  override async load(): Promise<string | undefined> {
    return super.load().catch(error => fail('read', error));
  }

  override async store(text: string): Promise<void> {
    return super.store(text).catch(error => fail('written', error));
  }
}

function fail(done: string, cause: unknown): never {
  throw contactsError(`the contacts of this browser cannot be ${done}`, cause);
}
