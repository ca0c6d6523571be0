import { formatAccount, parseAccount } from '@zbc-signer/chain';
import { type Contact, checkContactName, contactReview } from '@zbc-signer/host';
import {
  addContact,
  checkNewContact,
  clearContacts,
  exportContacts,
  importContacts,
  openBook,
  removeContact,
} from '../contacts.js';
import { button, element, input, makeButton, onClick, part } from '../dom.js';
import { onForm, readField, showAddress } from '../fields.js';
import { onFile, saveFile } from '../files.js';
import { COMPARE, runTask } from '../task.js';
import type { Wallet } from '../wallet.js';
import { describeError } from '../words.js';
import { namedAddress } from './listing.js';

const CHANNEL = 'Compare it with what the person told you over another channel, on the device.';

/** Fills in the form for a new contact, which the user reads and submits. */
export function fillContact({ name, account }: Pick<Contact, 'name' | 'account'>): void {
  input('contact-name').value = name;
  input('contact-address').value = formatAccount(account);
  input('contact-address').dispatchEvent(new Event('input'));
  input('contact-name').focus();
}

/** The contacts that the device accepts, those that it does not, and the form for a new one. */
export class ContactsView {
  #shown = '';

  constructor(private readonly wallet: Wallet) {
    onForm('contact-form', () => this.#add());
    showAddress('contact-address', parseAccount);
    onClick('save-contacts', () =>
      this.#attempt(async () => saveFile('zbc-contacts.json', await exportContacts(wallet))),
    );
    onFile(
      'load-contacts',
      text => this.#attempt(() => this.#load(text)),
      error => this.#say(describeError(error)),
    );
    onClick('clear-contacts', () => {
      if (confirm('Remove all contacts of this browser?')) this.#attempt(() => clearContacts(wallet));
    });
  }

  update(): void {
    const { contacts, unprovedContacts, contactsError } = this.wallet.state;
    const shown = JSON.stringify([contacts, unprovedContacts, `${contactsError}`]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#say(...(contactsError === undefined ? [] : [describeError(contactsError)]));
    button('clear-contacts').hidden = Reflect.get(Object(contactsError), 'code') !== 'CONTACTS_DAMAGED';
    part('no-contact').hidden = contacts.length > 0;
    part('contact-list').replaceChildren(...contacts.map(contact => this.#describe(contact)));
    part('unproved').hidden = unprovedContacts.length === 0;
    part('unproved-list').replaceChildren(
      ...unprovedContacts.map(contact =>
        this.#describe(
          contact,
          makeButton('Register again', '', () => fillContact(contact)),
        ),
      ),
    );
  }

  async #add(): Promise<boolean> {
    const { wallet } = this;
    const name = readField('contact-name', text => {
      checkContactName(text);
      return text;
    });
    const account = readField('contact-address', parseAccount);
    checkNewContact(wallet.state, { name, account });
    return runTask(`Save the contact ${name}`, [COMPARE, 'Saved'], async view => {
      const { genesisHash } = openBook(wallet);
      view.review(contactReview({ name, account, genesisHash }));
      view.note(CHANNEL);
      await addContact(wallet, { name, account }, view.signal);
      return `Saved: the device shows ${name} beside this address from now on.`;
    });
  }

  async #load(text: string): Promise<void> {
    const { added, taken, refused, others } = await importContacts(this.wallet, text);
    const names = (what: string, contacts: readonly Contact[]) =>
      contacts.length === 0 ? '' : ` ${what}: ${contacts.map(({ name }) => name).join(', ')}.`;
    this.#say(
      `Added: ${added.length}.`,
      names("The name or address is another contact's", taken),
      names('Changed, so the device refuses', refused),
      names('Kept for another seed or chain', others),
    );
  }

  #describe(contact: Contact, ...buttons: HTMLElement[]): HTMLElement {
    const remove = makeButton('Remove', '', () =>
      this.#attempt(async () => {
        await removeContact(this.wallet, contact);
        this.#say(`Removed: ${contact.name}.`);
      }),
    );
    const address = formatAccount(contact.account);
    return namedAddress(contact.name, address, element('div', 'row', ...buttons, remove));
  }

  #say(...said: (Node | string)[]): void {
    part('contacts-result').replaceChildren(...said);
  }

  #attempt(act: () => Promise<void>): void {
    act().catch(error => this.#say(describeError(error)));
  }
}
