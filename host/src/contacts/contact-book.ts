import { type Account, sameAccount, toHex, ZbcSignerError } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { HASH_LENGTH, PUBLIC_KEY_LENGTH } from '@zbc-signer/protocol/limits';
import { readBytes } from '../bytes.js';
import { type Contact, copyContact } from '../device/contact.js';
import { changeInTurn } from '../device/exchange-queue.js';
import type { TextStore } from '../text-store.js';
import { contactsError, formatContacts, parseContacts } from './contact-document.js';

/** The chain and the device whose contacts a book shows. */
export interface ContactScope {
  /** 32 bytes. */
  genesisHash: Uint8Array;
  /** Public key of account 0 of the device, 32 bytes. */
  signer: Uint8Array;
}

/** What became of the contacts of a backup. */
export interface ImportedContacts {
  /** Contacts of this device and chain, which were added. */
  added: Contact[];
  /** Contacts that were there already. */
  present: Contact[];
  /** Contacts whose name or account another contact has. They were not added. */
  taken: Contact[];
  /** Contacts that the device does not accept, because they were changed. They were not added. */
  refused: Contact[];
  /** Contacts of other devices, seeds or chains, which are kept for them. */
  others: Contact[];
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
    private readonly store: TextStore,
    scope: ContactScope,
  ) {
    bindMembers(this);
    const { genesisHash, signer }: Partial<ContactScope> = Object(scope);
    this.#scope = {
      genesisHash: readBytes('genesisHash', genesisHash, HASH_LENGTH),
      signer: readBytes('signer', signer, PUBLIC_KEY_LENGTH),
    };
  }

  /** The contacts, by name. */
  async list(): Promise<Contact[]> {
    const contacts = (await loadContacts(this.store)).filter(contact => this.holds(contact));
    return contacts.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** The contact of an account; undefined if it has none. */
  async find(account: Account): Promise<Contact | undefined> {
    return (await this.list()).find(contact => sameAccount(contact.account, account));
  }

  /** The contact of this name. Rejects with `CONTACT_UNKNOWN` if there is none. */
  async named(name: string): Promise<Contact> {
    const found = (await loadContacts(this.store)).filter(contact => contact.name === name);
    const here = found.find(this.holds);
    if (here !== undefined) return here;
    const elsewhere = found.length > 0 ? ': it is a contact of another seed or chain' : '';
    throw new ZbcSignerError(
      'CONTACT_UNKNOWN',
      `there is no contact ${name} for this device and chain${elsewhere}`,
    );
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
    const [found] = this.#same(await loadContacts(this.store), { name, account });
    if (found !== undefined) throw contactExistsError(found, name);
  }

  /**
   * Adds a contact of this device and chain. Rejects with `CONTACT_EXISTS` if its name or its account is there,
   * unless `replaces` is true, and with `CONTACT_PROOF` if it is of another device or chain.
   */
  async save(contact: Contact, { replaces = false }: { replaces?: boolean } = {}): Promise<void> {
    const added = copyContact(contact);
    if (!this.holds(added))
      throw new ZbcSignerError('CONTACT_PROOF', 'the contact is of another device, seed or chain');
    await this.#change(kept => {
      const replaced = this.#same(kept, added);
      if (replaced[0] !== undefined && !replaces) throw contactExistsError(replaced[0], added.name);
      return [...kept.filter(other => !replaced.includes(other)), added];
    });
  }

  /**
   * Adds contacts of a backup; none replaces a contact. Those of this device and chain are added only if
   * `accepts` says that the device accepts them (`Signer.checkContact`). Those of others are kept for them.
   */
  async import(
    contacts: readonly Contact[],
    accepts: (contact: Contact) => Promise<boolean>,
  ): Promise<ImportedContacts> {
    const imported: ImportedContacts = { added: [], present: [], taken: [], refused: [], others: [] };
    const given: Contact[] = [];
    for (const contact of contacts.map(copyContact)) {
      if (!this.holds(contact) || (await accepts(contact))) given.push(contact);
      else imported.refused.push(contact);
    }
    await this.#change(before => {
      const kept = [...before];
      const known = new Map(kept.flatMap(contact => keysOf(contact).map(key => [key, contact] as const)));
      for (const contact of given) {
        const keys = keysOf(contact);
        const found = keys.map(key => known.get(key)).find(other => other !== undefined);
        if (found !== undefined) imported[isSame(found, contact) ? 'present' : 'taken'].push(contact);
        else {
          kept.push(contact);
          for (const key of keys) known.set(key, contact);
          imported[this.holds(contact) ? 'added' : 'others'].push(contact);
        }
      }
      return kept;
    });
    return imported;
  }

  /** Forgets a contact. Its proof stays valid for whoever has a copy. Rejects with `CONTACT_UNKNOWN`. */
  async remove(name: string): Promise<void> {
    await this.named(name);
    await this.#change(kept => kept.filter(other => !(this.holds(other) && other.name === name)));
  }

  /** Replaces the contacts. */
  #change(edit: (kept: readonly Contact[]) => readonly Contact[]): Promise<void> {
    return changeInTurn(this.store, async () => {
      const text = formatContacts(edit(await loadContacts(this.store)));
      await callStore('written', () => this.store.store(text));
    });
  }

  /** The contacts of this device and chain with this name or account. */
  #same(contacts: readonly Contact[], named: Pick<Contact, 'name' | 'account'>): Contact[] {
    const keys = keysOf({ ...this.#scope, ...named });
    return contacts.filter(other => keysOf(other).some(key => keys.includes(key)));
  }
}

/** The contacts of every device and chain. Rejects with `CONTACTS_DAMAGED` if they are not readable. */
export async function loadContacts(store: TextStore): Promise<Contact[]> {
  const text = await callStore('read', () => store.load());
  return text === undefined ? [] : parseContacts(text);
}

/** Turns an error of a store into `CONTACTS_DAMAGED`. */
async function callStore<Result>(done: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof ZbcSignerError ? cause : contactsError(`the contacts cannot be ${done}`, cause);
  }
}

/** The name and the account, each with the device and chain where only one contact may have it. */
function keysOf({
  name,
  account,
  genesisHash,
  signer,
}: Pick<Contact, 'name' | 'account' | 'genesisHash' | 'signer'>): string[] {
  const scope = `${toHex(genesisHash)} ${toHex(signer)}`;
  return [`${scope} named ${name}`, `${scope} of ${account.kind} ${toHex(account.payload)}`];
}

function isSame(one: Contact, other: Contact): boolean {
  return formatContacts([one]) === formatContacts([other]);
}

function contactExistsError(found: Contact, name: string): ZbcSignerError {
  const facts = { name: found.name };
  const what = found.name === name ? `named ${name}` : `of this account, ${found.name}`;
  return new ZbcSignerError('CONTACT_EXISTS', `there is a contact ${what} already`, { facts });
}
