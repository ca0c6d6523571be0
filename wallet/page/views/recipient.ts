import { formatAccount, parseAccount } from '@zbc-signer/chain';
import { nameOf } from '../accounts.js';
import { attempt, element, input, makeButton, part } from '../dom.js';
import { checkOnChange } from '../fields.js';
import { shorten } from '../format.js';
import { shownAccount, type WalletAccount } from '../state.js';
import type { Wallet } from '../wallet.js';

/** Number of known recipients that the user can choose from. */
const CONTACTS = 8;

const field = input('send-to');

/** The recipient of a payment: the field for the address, its name, and buttons for known addresses. */
export class RecipientField {
  constructor(private readonly wallet: Wallet) {
    checkOnChange(field.id, () => void this.read());
  }

  /** The address in the form in which the page and the device show it. Throws if it is invalid. */
  read(): string {
    return formatAccount(parseAccount(field.value.trim()));
  }

  update(): void {
    const account = shownAccount(this.wallet.state);
    if (account === undefined) return;
    this.#updateHint(account);
    this.#updateContacts(account);
  }

  #updateHint({ address }: WalletAccount): void {
    const to = attempt(() => this.read());
    const name = to === undefined ? undefined : nameOf(this.wallet, to);
    part('send-to-hint').textContent =
      to === address
        ? 'This is the account that sends.'
        : name === undefined
          ? 'A ZBC_ address or a payment link. You will compare the address on the device.'
          : `This is ${name}. You will compare the address on the device.`;
    part('send-name-field').hidden = to === undefined || name !== undefined;
  }

  #updateContacts({ address }: WalletAccount): void {
    const { state, labels } = this.wallet;
    const known = new Set([...labels.all.keys(), ...state.accounts.map(each => each.address)]);
    known.delete(address);
    const list = part('send-contacts');
    list.hidden = known.size === 0;
    const shown = [...known]
      .slice(-CONTACTS)
      .map(to => [nameOf(this.wallet, to) ?? shorten(to), to] as const);
    if (list.dataset.shown === shown.join()) return;
    list.dataset.shown = shown.join();
    list.replaceChildren(
      ...shown.map(([name, to]) => {
        const made = makeButton(name, 'small', () => {
          field.value = to;
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
