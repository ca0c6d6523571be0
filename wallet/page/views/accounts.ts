import {
  addAccount,
  discoverAccounts,
  isWatching,
  nameAddress,
  nameOf,
  selectAccount,
  watchAccounts,
} from '../accounts.js';
import { button, element, find, groupedAddress, input, onClick, part } from '../dom.js';
import { onFile, saveFile } from '../files.js';
import { shorten, tailOf } from '../format.js';
import { shownAccount } from '../state.js';
import { runTask } from '../task.js';
import type { Wallet } from '../wallet.js';
import { describeError } from '../words.js';

const chosen = find('account', HTMLSelectElement);

/**
 * The accounts of the signer, the choice of the account to show, and the names of own and other addresses.
 */
export class AccountsView {
  #shown = '';

  constructor(private readonly wallet: Wallet) {
    chosen.addEventListener('change', () => selectAccount(wallet, Number(chosen.value)));
    onClick('add-account', () => void this.#attempt(() => addAccount(wallet)));
    onClick('discover', () => void this.#attempt(() => discoverAccounts(wallet)));
    input('watch').addEventListener('change', () => watchAccounts(wallet, input('watch').checked));
    onClick('save-labels', () => saveFile('zbc-names.json', wallet.labels.format()));
    const result = part('labels-result');
    onFile(
      'load-labels',
      text => {
        result.textContent = `${wallet.labels.load(text)} names are in this browser now.`;
        wallet.change();
      },
      error => result.replaceChildren(describeError(error)),
    );
  }

  update(): void {
    const { state, labels } = this.wallet;
    const { accounts, selected, isDiscovering } = state;
    for (const id of ['wallet', 'places']) part(id).hidden = shownAccount(state) === undefined;
    input('watch').checked = isWatching(this.wallet);
    for (const id of ['add-account', 'discover']) button(id).disabled = isDiscovering;
    part('discovery').textContent = isDiscovering ? 'Looking for accounts that the chain knows…' : '';
    const own = accounts.map(({ address }) => address);
    const others = [...labels.all.keys()].filter(address => !own.includes(address));
    const shown = JSON.stringify([own, others, [...labels.all.values()]]);
    if (shown !== this.#shown) {
      this.#shown = shown;
      const options = own.map(address => `${nameOf(this.wallet, address)} · ${tailOf(address)}`);
      chosen.replaceChildren(...options.map((text, index) => new Option(text, `${index}`)));
      this.#list('account-list', own);
      this.#list('recipient-list', others);
      part('no-recipients').hidden = others.length > 0;
    }
    chosen.value = `${selected}`;
  }

  #list(id: string, addresses: string[]): void {
    part(id).replaceChildren(...addresses.map((address, at) => this.#describe(address, at)));
  }

  #describe(address: string, at: number): HTMLElement {
    const { labels } = this.wallet;
    const field = element('input', '');
    field.value = labels.nameOf(address) ?? '';
    field.placeholder = `Account ${at}`;
    field.maxLength = 40;
    field.setAttribute('aria-label', `Name of ${shorten(address)}`);
    field.addEventListener('change', () => nameAddress(this.wallet, address, field.value));
    return element('li', '', field, element('p', 'hint mono', ...groupedAddress(address)));
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      await runTask('Accounts of the signer', [], () => Promise.reject(error));
    }
  }
}
