import { formatAccount } from '@zbc-signer/chain';
import { nameOf } from '../accounts.js';
import { parseRecipient } from '../contacts.js';
import { attempt, element, input, makeButton, part } from '../dom.js';
import { checkOnChange, showAddress } from '../fields.js';
import { shorten } from '../format.js';
import { shownAccount, type WalletAccount } from '../state.js';
import type { Wallet } from '../wallet.js';

const field = input('send-to');

/** The recipient of a payment: the field for an address or a name, and buttons for those that are known. */
export class RecipientField {
  readonly #showAddress: () => void;

  constructor(private readonly wallet: Wallet) {
    checkOnChange(field.id, () => void this.read());
    this.#showAddress = showAddress(field.id, text => parseRecipient(wallet.state, text));
  }

  /** The address in the form in which the page and the device show it. Throws if it is invalid. */
  read(): string {
    return formatAccount(parseRecipient(this.wallet.state, field.value.trim()));
  }

  update(): void {
    const account = shownAccount(this.wallet.state);
    if (account === undefined) return;
    this.#updateHint(account);
    this.#showAddress();
    this.#updateContacts(account);
  }

  #updateHint({ address }: WalletAccount): void {
    const to = attempt(() => this.read());
    const name = to === undefined ? undefined : nameOf(this.wallet, to);
    part('send-to-hint').textContent =
      to === address
        ? 'This is the account that sends.'
        : name === undefined
          ? 'A contact, a ZBC_ address or a payment link. You will compare the address on the device.'
          : `This is ${name}. You will compare the address on the device.`;
  }

  #updateContacts({ address }: WalletAccount): void {
    const { contacts, accounts } = this.wallet.state;
    const known = new Map([
      ...accounts.map(each => [each.address, each.address] as const),
      ...contacts.map(({ name, account }) => [formatAccount(account), name] as const),
    ]);
    known.delete(address);
    const list = part('send-contacts');
    list.hidden = known.size === 0;
    const shown = [...known].map(([to, value]) => [nameOf(this.wallet, to) ?? shorten(to), value] as const);
    if (list.dataset.shown === shown.join()) return;
    list.dataset.shown = shown.join();
    list.replaceChildren(
      ...shown.map(([name, value]) => {
        const made = makeButton(name, '', () => {
          field.value = value;
          field.dispatchEvent(new Event('input'));
          input('send-amount').focus();
        });
        // The field must keep the focus. The check when it loses the focus would move the button before the
        // click.
        made.addEventListener('mousedown', event => event.preventDefault());
        return element('li', '', made);
      }),
    );
  }
}
