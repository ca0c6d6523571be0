import { type BrowserIndexedDb, currentBrowser, IndexedDbContacts } from '@zbc-signer/web';
import { IDBFactory } from 'fake-indexeddb';

const browserWith = (indexedDB: BrowserIndexedDb | undefined) => ({ ...currentBrowser(), indexedDB });

test('the text is that of the last change, in all tabs of the browser', async () => {
  const browser = browserWith(new IDBFactory());
  const [one, other] = [new IndexedDbContacts(browser), new IndexedDbContacts(browser)];
  expect(await one.load()).toBeUndefined();
  await one.store('first');
  await other.store('second');
  expect(await one.load()).toBe('second');
});

test('a browser that does not answer is not taken for one without contacts', async () => {
  const contacts = new IndexedDbContacts(browserWith(undefined));
  await expect(contacts.load()).rejects.toMatchObject({ code: 'CONTACTS_DAMAGED' });
  await expect(contacts.store('')).rejects.toMatchObject({ code: 'CONTACTS_DAMAGED' });
});
