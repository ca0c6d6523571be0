import { formatCoinAmount, formatCoins, formatUnits } from '@zbc-signer/chain';
import { button, element, find, onClick, part } from '../dom.js';
import { addressGroups, shorten, tokenName } from '../format.js';
import { runTask } from '../task.js';
import type { Wallet, WalletAccount } from '../wallet.js';
import { describeError } from '../words.js';

const list = find('account', HTMLSelectElement);

/** The chosen account: balances, tokens, its address, and the faucet of a development network. */
export class AccountView {
  #shownAddress = '';

  constructor(private readonly wallet: Wallet) {
    list.addEventListener('change', () => wallet.select(Number(list.value)));
    onClick('add-account', () => void this.#addAccount());
    onClick('show-address', () => void this.#compare());
    onClick('copy-address', () => void this.#copy());
    onClick('faucet', () => void this.#requestCoins());
  }

  update(): void {
    const { wallet } = this;
    const { account, signer } = wallet;
    part('wallet').hidden = signer === undefined || account === undefined;
    if (account === undefined) return;
    this.#updateList();
    part('balance').textContent =
      account.balance === undefined ? '–' : formatCoins(account.balance.spendable);
    part('balance-total').textContent =
      account.balance === undefined || account.balance.balance === account.balance.spendable
        ? ''
        : `${formatCoinAmount(account.balance.balance)} in total: the rest is unconfirmed or in escrow.`;
    button('faucet').hidden = !wallet.hasFaucet;
    this.#updateTokens(account);
    this.#updateAddress(account);
  }

  #updateList(): void {
    const { accounts, selected } = this.wallet;
    const texts = accounts.map(({ index, address }) => `Account ${index} · ${shorten(address)}`);
    if (texts.join() !== [...list.options].map(({ text }) => text).join()) {
      list.replaceChildren(...texts.map((text, index) => new Option(text, `${index}`)));
    }
    list.value = `${selected}`;
  }

  #updateTokens({ tokens }: WalletAccount): void {
    part('no-tokens').hidden = tokens.length > 0;
    part('tokens').replaceChildren(
      ...tokens.map(token => {
        const name = element('th', '', tokenName(token));
        name.scope = 'row';
        const amounts = [token.spendable, token.balance].map(atoms =>
          element('td', 'number', formatUnits(atoms, token.decimals)),
        );
        return element('tr', '', name, element('td', '', `${token.id}`), ...amounts);
      }),
    );
  }

  #updateAddress({ address }: WalletAccount): void {
    if (address === this.#shownAddress) return;
    this.#shownAddress = address;
    part('address').replaceChildren(
      ...addressGroups(address).map((group, at) => element('span', '', at === 0 ? group : `_${group}`)),
    );
    part('address-result').replaceChildren();
  }

  async #addAccount(): Promise<void> {
    try {
      await this.wallet.addAccount();
    } catch (error) {
      await runTask('Add account', () => Promise.reject(error));
    }
  }

  async #compare(): Promise<void> {
    const { account } = this.wallet;
    if (account === undefined) return;
    await runTask('Compare the address', async view => {
      view.review([['Address', account.address]]);
      await this.wallet.compareAddress(view.signal);
      return 'You confirmed this address on the device.';
    });
  }

  async #copy(): Promise<void> {
    const { account } = this.wallet;
    const copied = await navigator.clipboard.writeText(account?.address ?? '').then(
      () => 'Copied. Compare it again where you paste it.',
      () => 'The browser did not allow copying: select the address above.',
    );
    part('address-result').textContent = copied;
  }

  async #requestCoins(): Promise<void> {
    const { account, gateway } = this.wallet;
    if (account === undefined) return;
    const result = part('faucet-result');
    button('faucet').disabled = true;
    result.textContent = 'Requesting…';
    try {
      await gateway.faucet(account.address);
      await this.wallet.readHoldings();
      result.textContent = 'Received test coins. They have no value.';
    } catch (error) {
      result.replaceChildren(describeError(error));
    }
    button('faucet').disabled = false;
  }
}
