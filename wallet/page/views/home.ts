import { COIN_DECIMALS } from '@zbc-signer/chain';
import { readHoldings } from '../accounts.js';
import { assetMark, button, element, onClick, part } from '../dom.js';
import { localCoins, localUnits, tokenName } from '../format.js';
import { shownAccount, type WalletAccount } from '../state.js';
import type { Wallet } from '../wallet.js';
import { showError } from '../words.js';

/** The holdings of the chosen account, and the faucet of a development network. */
export class HomeView {
  constructor(private readonly wallet: Wallet) {
    onClick('faucet', () => void this.#requestCoins());
  }

  update(): void {
    const { state } = this.wallet;
    const account = shownAccount(state);
    if (account === undefined) return;
    const { balance } = account;
    const amount = balance === undefined ? '–' : localUnits(balance.spendable, COIN_DECIMALS);
    // The element is replaced, because browsers count a longer text in the same element as a layout shift.
    part('balance').replaceChildren(amount, element('small', '', ' ZBC'));
    part('balance-total').textContent =
      balance === undefined || balance.balance === balance.spendable
        ? ''
        : `${localCoins(balance.balance)} in total: the rest is unconfirmed or in escrow.`;
    const isEmpty = balance?.balance === 0n;
    part('home-send').classList.toggle('primary', !isEmpty);
    part('home-receive').classList.toggle('primary', isEmpty);
    button('faucet').hidden = !state.hasFaucet;
    this.#updateTokens(account);
  }

  #updateTokens({ balance: read, tokens }: WalletAccount): void {
    part('no-tokens').hidden = read === undefined || tokens.length > 0;
    part('tokens').replaceChildren(
      ...tokens.map(token => {
        const { id, decimals, spendable, balance } = token;
        const more = balance === spendable ? '' : ` · of ${localUnits(balance, decimals)}`;
        return element(
          'li',
          'entry',
          assetMark(id, tokenName(token)),
          element('strong', '', tokenName(token)),
          element('span', 'value', localUnits(spendable, decimals)),
          element('span', 'hint', `token ${id}${more}`),
        );
      }),
    );
  }

  async #requestCoins(): Promise<void> {
    const account = shownAccount(this.wallet.state);
    if (account === undefined) return;
    const result = part('faucet-result');
    button('faucet').disabled = true;
    result.textContent = 'Requesting…';
    try {
      await this.wallet.gateway.faucet(account.address);
      await readHoldings(this.wallet);
      result.textContent = 'Received test coins. They have no value.';
    } catch (error) {
      showError(result, error);
    }
    button('faucet').disabled = false;
  }
}
