import {
  addAccount,
  discoverAccounts,
  isWatching,
  labelOf,
  nameOf,
  selectAccount,
  watchAccounts,
} from '../accounts.js';
import { button, find, input, onClick, part, say } from '../dom.js';
import { shownAccount } from '../state.js';
import { runTask } from '../task.js';
import type { Wallet } from '../wallet.js';
import { namedAddress } from './listing.js';

const chosen = find('account', HTMLSelectElement);

/** The accounts of the signer, and the choice of the account to show. */
export class AccountsView {
  #shown = '';

  constructor(private readonly wallet: Wallet) {
    chosen.addEventListener('change', () => selectAccount(wallet, Number(chosen.value)));
    onClick('add-account', () => void this.#attempt(() => addAccount(wallet)));
    onClick('discover', () => void this.#attempt(() => discoverAccounts(wallet)));
    input('watch').addEventListener('change', () => watchAccounts(wallet, input('watch').checked));
  }

  update(): void {
    const { state } = this.wallet;
    const { accounts, selected, isDiscovering } = state;
    for (const id of ['wallet', 'places']) part(id).hidden = shownAccount(state) === undefined;
    input('watch').checked = isWatching(this.wallet);
    for (const id of ['add-account', 'discover']) button(id).disabled = isDiscovering;
    const count = accounts.length === 1 ? '1 account' : `${accounts.length} accounts`;
    say('discovery', isDiscovering ? 'Looking for accounts that the chain knows…' : count);
    const shown = accounts.map(account => labelOf(this.wallet, account));
    if (shown.join() !== this.#shown) {
      this.#shown = shown.join();
      chosen.replaceChildren(...shown.map((text, index) => new Option(text, `${index}`)));
      part('account-list').replaceChildren(
        ...accounts.map(({ address }) => namedAddress(`${nameOf(this.wallet, address)}`, address)),
      );
    }
    chosen.value = `${selected}`;
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      await runTask('Accounts of the signer', [], () => Promise.reject(error));
    }
  }
}
