import { type Account, sameAccount, toHex, ZbcSignerError } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { HASH_LENGTH, PUBLIC_KEY_LENGTH } from '@zbc-signer/protocol/limits';
import { readBytes } from '../bytes.js';
import { type Contact, copyContact } from '../device/contact.js';
import { formatContacts, parseContacts } from './contact-document.js';

/** Where contacts are kept, as one text. */
export interface ContactStore {
  /** Resolves with the text; undefined if nothing was kept. */
  load(): Promise<string | undefined>;
  /** Replaces the text as a whole. */
  store(text: string): Promise<void>;
}

/** The chain and the device whose contacts a book shows. */
export interface ContactScope {
  /** 32 bytes. */
  genesisHash: Uint8Array;
  /** Public key of account 0 of the device, 32 bytes. */
  signer: Uint8Array;
}

/**
 * The contacts of one device on one chain. Contacts of other devices and chains stay in the store, unseen. Each
 * method reads the store again, and rejects with `CONTACTS_DAMAGED` if it is not readable.
 */
export class ContactBook {
  readonly #scope: ContactScope;

  /** The chain of the contacts, 32 bytes. */
  get genesisHash(): Uint8Array {
    return Uint8Array.from(this.#scope.genesisHash);
  }

  constructor(
    private readonly store: ContactStore,
    scope: ContactScope,
  ) {
    bindMembers(this);
    this.#scope = {
      genesisHash: readBytes('genesisHash', scope.genesisHash, HASH_LENGTH),
      signer: readBytes('signer', scope.signer, PUBLIC_KEY_LENGTH),
    };
  }

  /** The contacts, by name. */
  async list(): Promise<Contact[]> {
    const contacts = (await this.#load()).filter(contact => this.holds(contact));
    return contacts.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** The contact of an account; undefined if it has none. */
  async find(account: Account): Promise<Contact | undefined> {
    return (await this.list()).find(contact => sameAccount(contact.account, account));
  }

  /** The contact of this name. Rejects with `CONTACT_UNKNOWN` if there is none. */
  async named(name: string): Promise<Contact> {
    const found = (await this.list()).find(contact => contact.name === name);
    if (found !== undefined) return found;
    throw new ZbcSignerError('CONTACT_UNKNOWN', 'there is no contact of this name for this device and chain');
  }

  /** Whether a contact is of this device and chain. Only the device can tell whether its proof is right. */
  holds(contact: Contact): boolean {
    return (
      toHex(contact.genesisHash) === toHex(this.#scope.genesisHash) &&
      toHex(contact.signer) === toHex(this.#scope.signer)
    );
  }

  /** Rejects with `CONTACT_EXISTS` if the name or the account is there. */
  async checkNew(name: string, account: Account): Promise<void> {
    const [found] = this.#same(await this.#load(), { name, account });
    if (found === undefined) return;
    const facts = { name: found.name };
    const what = found.name === name ? 'of this name' : `of this account, "${found.name}"`;
    throw new ZbcSignerError('CONTACT_EXISTS', `there is a contact ${what} already`, { facts });
  }

  /**
   * Adds a contact of this device and chain. Rejects with `CONTACT_EXISTS` if its name or its account is there,
   * unless `replaces` is true, and with `CONTACT_PROOF` if it is of another device or chain.
   */
  async save(contact: Contact, { replaces = false }: { replaces?: boolean } = {}): Promise<void> {
    const added = copyContact(contact);
    if (!this.holds(added))
      throw new ZbcSignerError('CONTACT_PROOF', 'the contact is of another device, seed or chain');
    if (!replaces) await this.checkNew(added.name, added.account);
    const kept = await this.#load();
    const replaced = this.#same(kept, added);
    await this.store.store(formatContacts([...kept.filter(other => !replaced.includes(other)), added]));
  }

  /** Forgets a contact. Its proof stays valid for whoever has a copy. Rejects with `CONTACT_UNKNOWN`. */
  async remove(name: string): Promise<void> {
    await this.named(name);
    const kept = await this.#load();
    await this.store.store(formatContacts(kept.filter(other => !(this.holds(other) && other.name === name))));
  }

  async #load(): Promise<Contact[]> {
    const text = await this.store.load();
    return text === undefined ? [] : parseContacts(text);
  }

  /** The contacts of this device and chain with this name or account. */
  #same(contacts: readonly Contact[], { name, account }: Pick<Contact, 'name' | 'account'>): Contact[] {
    return contacts.filter(
      other => this.holds(other) && (other.name === name || sameAccount(other.account, account)),
    );
  }
}
