import { type Account, parseAccount, sameAccount, toHex } from '@zbc-signer/chain';
import {
  type Contact,
  ContactBook,
  formatContacts,
  type ImportedContacts,
  isContactName,
  loadContacts,
  parseContacts,
} from '@zbc-signer/host';
import { InputError } from './fields.js';
import { openSigner, type WalletState } from './state.js';
import type { Wallet } from './wallet.js';
import { PageError } from './words.js';

/** The contacts of the device and the chain that this page shows. */
export function openBook({ state, contacts }: Wallet): ContactBook {
  const [first] = state.accounts;
  if (first === undefined || state.genesisHash === undefined)
    throw new PageError('the chain or the signer is not known yet');
  return new ContactBook(contacts, { genesisHash: state.genesisHash, signer: first.publicKey });
}

/** The contacts that a payment carries. A name that this page shows is never left out, whatever the store has. */
export function paidContacts(wallet: Wallet): Pick<ContactBook, 'find'> {
  const { contacts } = wallet.state;
  const book = openBook(wallet);
  return {
    find: async account =>
      contacts.find(contact => sameAccount(contact.account, account)) ?? book.find(account),
  };
}

/** Reads the contacts for the chain, and asks the device which of its own it accepts. */
export async function readContacts(wallet: Wallet): Promise<void> {
  const { state } = wallet;
  const { signer, genesisHash } = state;
  const [first] = state.accounts;
  const isCurrent = () => signer === state.signer && first === state.accounts[0];
  try {
    const book = openBook(wallet);
    openSigner(state);
    const kept = (await loadContacts(wallet.contacts)).filter(
      contact => toHex(contact.genesisHash) === toHex(genesisHash!),
    );
    const proved = await prove(wallet, kept.filter(book.holds));
    if (!isCurrent()) return;
    const unprovedContacts = kept.filter(contact => !proved.includes(contact));
    const contacts = proved.sort((one, other) => (one.name < other.name ? -1 : 1));
    wallet.change({ contacts, unprovedContacts, contactsError: undefined });
  } catch (contactsError) {
    if (isCurrent()) wallet.change({ contacts: [], unprovedContacts: [], contactsError });
  }
}

/** Has the device show a name and an account, and keeps them once the user has approved them there. */
export async function addContact(
  wallet: Wallet,
  { name, account }: Pick<Contact, 'name' | 'account'>,
  signal: AbortSignal,
): Promise<void> {
  const book = openBook(wallet);
  const { genesisHash } = book;
  // Another tab may have changed the contacts.
  await readContacts(wallet);
  const { contactsError, unprovedContacts } = wallet.state;
  if (contactsError !== undefined) throw contactsError;
  checkNewContact(wallet.state, { name, account });
  const review = `Save the contact ${name}`;
  const contact = await openSigner(wallet.state).run(
    device => device.registerContact({ name, account, genesisHash }, { signal }),
    { review },
  );
  const isTaken = unprovedContacts.some(other => other.name === name || sameAccount(other.account, account));
  await book.save(contact, { replaces: isTaken });
  await readContacts(wallet);
}

/** Throws InputError if a proved contact has this name or this account. */
export function checkNewContact(
  { contacts }: WalletState,
  { name, account }: Pick<Contact, 'name' | 'account'>,
): void {
  const isTaken = contacts.some(other => other.name === name);
  if (isTaken) throw new InputError('contact-name', `there is a contact ${name} already`);
  const known = contacts.find(other => sameAccount(other.account, account));
  if (known !== undefined)
    throw new InputError(
      'contact-address',
      `this is the address of ${known.name}: remove that contact first`,
    );
}

/** Forgets a contact in this browser, whether the device accepts it or not. */
export async function removeContact(wallet: Wallet, removed: Contact): Promise<void> {
  const text = formatContacts([removed]);
  const kept = await loadContacts(wallet.contacts);
  await wallet.contacts.store(formatContacts(kept.filter(contact => formatContacts([contact]) !== text)));
  await readContacts(wallet);
}

/** Forgets all contacts of this browser, which need not be readable. */
export async function clearContacts(wallet: Wallet): Promise<void> {
  await wallet.contacts.store(formatContacts([]));
  await readContacts(wallet);
}

/** All contacts of this browser as a document for `importContacts`. */
export async function exportContacts(wallet: Wallet): Promise<string> {
  return formatContacts(await loadContacts(wallet.contacts));
}

/** Adds the contacts of a document, as `ContactBook.import` does. */
export async function importContacts(wallet: Wallet, text: string): Promise<ImportedContacts> {
  const given = parseContacts(text);
  const book = openBook(wallet);
  const imported = await openSigner(wallet.state).run(device =>
    book.import(given, contact => device.checkContact(contact)),
  );
  await readContacts(wallet);
  return imported;
}

/** Reads an address, or the name of a proved contact. No name can be an address. */
export function parseRecipient({ contacts }: WalletState, text: string): Account {
  const found = contacts.find(({ name }) => name === text);
  if (found === undefined && isContactName(text))
    throw new PageError('this is neither an address nor the name of a contact of this device');
  return found?.account ?? parseAccount(text);
}

/** The contacts that the device accepts. */
async function prove({ state }: Wallet, contacts: readonly Contact[]): Promise<Contact[]> {
  if (contacts.length === 0) return [];
  return openSigner(state).run(async device => {
    const proved: Contact[] = [];
    for (const contact of contacts) {
      if (await device.checkContact(contact)) proved.push(contact);
    }
    return proved;
  });
}
