import { type Account, COIN_DECIMALS, formatAccount, formatUnits } from '@zbc-signer/chain';
import { estimateFee, isContactName } from '@zbc-signer/host';
import { SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { nameOf } from '../accounts.js';
import { attempt, button, element, find, input, makeButton, onClick, part, say, showFacts } from '../dom.js';
import {
  assetList,
  COIN,
  chosenToken,
  fillAssets,
  formatChosen,
  readAmount,
  readTransfer,
  spendable,
  titleOf,
} from '../drafts.js';
import { checkOnChange, InputError, onForm, showFault } from '../fields.js';
import { formatShare, localCoins, shorten } from '../format.js';
import { parsePaymentLink } from '../payment-link.js';
import { MAX_FEE } from '../payments.js';
import { sendDraft, signDraft } from '../sending.js';
import { shownAccount, type WalletAccount } from '../state.js';
import type { Wallet } from '../wallet.js';
import { fillContact } from './contacts.js';
import { RecipientField } from './recipient.js';

/** The form of a payment: recipient, amount and fee, before the device is asked. */
export class SendView {
  /** The fee for a transfer of the chosen coin or token, from the gateway's last answer. */
  #fee: bigint | undefined;
  #isAsking = false;
  /** The recipient of the last payment. */
  #paid: Account | undefined;
  readonly #recipient: RecipientField;

  constructor(private readonly wallet: Wallet) {
    this.#recipient = new RecipientField(wallet);
    onForm('send-form', pressed => this.#send(pressed?.id === 'send-later'));
    find('send-form', HTMLFormElement).addEventListener('reset', () =>
      queueMicrotask(() => void this.open()),
    );
    assetList('send').addEventListener('change', () => void this.open());
    const recipient = input('send-to');
    recipient.addEventListener('input', () => this.#fill(recipient.value.trim()));
    recipient.addEventListener('input', () => this.update());
    input('send-amount').addEventListener('input', () => this.update());
    checkOnChange('send-amount', () => this.#checkAmount());
    onClick('send-max', () => this.#fillMax());
    onClick('send-save', () => this.#paid && fillContact({ name: '', account: this.#paid }));
  }

  /** Fills the form from a payment link in the URL. If the link cannot be read, the form is left empty. */
  openLink(link: string): void {
    find('send-form', HTMLFormElement).reset();
    if (!this.#fill(link)) showFault(new InputError('send-to', 'this page cannot read the payment link'));
  }

  /**
   * Fills all fields from a payment link. The user then submits the form. Returns false if the text is not a
   * payment link.
   */
  #fill(link: string): boolean {
    const asked = parsePaymentLink(link);
    if (asked === undefined) return false;
    const values = Object.entries(asked).map(([name, value]) => [input(`send-${name}`), value] as const);
    // `maxLength` does not limit values that a script sets.
    if (values.some(([{ maxLength }, value]) => value.length > maxLength)) return false;
    // A link must not choose among the user's contacts, which may not be read yet.
    if (isContactName(asked.to.trim())) return false;
    for (const [field, value] of values) field.value = value;
    const list = assetList('send');
    const isOther = list.value !== COIN;
    list.value = COIN;
    if (isOther) void this.open();
    else this.update();
    return true;
  }

  /** Reads the fee when the user opens Send or chooses another asset. */
  async open(): Promise<void> {
    this.#fee = undefined;
    this.#isAsking = true;
    this.update();
    const asset = assetList('send').value;
    const type = asset === COIN ? SEND_ZBC : TRANSFER_TOKEN;
    const fee = await estimateFee({ type }, { gateway: this.wallet.gateway }).catch(() => undefined);
    if (assetList('send').value !== asset) return;
    this.#fee = fee;
    this.#isAsking = false;
    this.update();
  }

  update(): void {
    const account = shownAccount(this.wallet.state);
    if (account === undefined) return;
    fillAssets('send', account);
    this.#recipient.update();
    this.#updateSum(account);
    this.#offerToSave();
  }

  /** Offers to make a contact of the last recipient, unless it has a name. */
  #offerToSave(): void {
    const to = this.#paid && formatAccount(this.#paid);
    part('send-save').hidden = to === undefined || nameOf(this.wallet, to) !== undefined;
    if (to !== undefined) part('send-save').textContent = `Save as contact: ${shorten(to)}`;
  }

  #updateSum(account: WalletAccount): void {
    const fee = this.#fee;
    const amount = attempt(() => readAmount('send', account));
    const coins = account.balance?.spendable ?? 0n;
    const isCoin = chosenToken('send', account) === undefined;
    const facts: [string, string][] = [];
    if (amount !== undefined) facts.push(['Amount', formatChosen('send', account, amount)]);
    const unknown = this.#isAsking ? 'asking…' : 'not known';
    facts.push(['Fee', fee === undefined ? unknown : localCoins(fee)]);
    button('send-max').disabled = isCoin && fee === undefined;
    if (fee !== undefined && amount !== undefined) {
      const leaving = isCoin ? amount + fee : fee;
      if (isCoin) facts.push(['Total', localCoins(leaving)]);
      if (leaving <= coins) facts.push(['Balance after it', localCoins(coins - leaving)]);
    }
    showFacts(part('send-sum'), facts);
    const share = [
      ...(fee !== undefined && isCoin && amount
        ? [`The fee is ${formatShare(Number(fee) / Number(amount))} of the amount.`]
        : []),
      `This page signs no fee above ${localCoins(MAX_FEE)}.`,
    ];
    say('send-share', share.join(' '));
  }

  #fillMax(): void {
    const account = shownAccount(this.wallet.state);
    if (account === undefined) return;
    const token = chosenToken('send', account);
    const all = spendable('send', account) - (token === undefined ? (this.#fee ?? 0n) : 0n);
    const amount = input('send-amount');
    amount.value = formatUnits(all < 0n ? 0n : all, token?.decimals ?? COIN_DECIMALS);
    amount.dispatchEvent(new Event('input'));
  }

  /** Throws InputError if the account cannot pay the amount. */
  #checkAmount(): void {
    const account = shownAccount(this.wallet.state);
    if (account?.balance === undefined) return;
    const isCoin = chosenToken('send', account) === undefined;
    const needed = readAmount('send', account) + (isCoin ? (this.#fee ?? 0n) : 0n);
    if (needed <= spendable('send', account)) return;
    const all = formatChosen('send', account, needed);
    throw new InputError(
      'send-amount',
      isCoin ? `insufficient balance: with the fee, this is ${all}` : `insufficient balance: this is ${all}`,
    );
  }

  async #send(isLater: boolean): Promise<boolean> {
    const draft = readTransfer('send', this.wallet.state);
    this.#checkAmount();
    const message = input('send-message').value;
    const again = this.#repeat(draft.recipient);
    const composed = { ...draft, ...(message !== '' && { message: new TextEncoder().encode(message) }) };
    const act = isLater ? signDraft : sendDraft;
    const title = titleOf('send', shownAccount(this.wallet.state));
    const isSent = await act(this.wallet, `${isLater ? 'Sign' : 'Send'} ${title}`, composed, 'send-amount');
    if (isSent) this.#paid = draft.recipient;
    if (isSent && !isLater) part('task-result').append(element('div', 'row', again));
    return isSent;
  }

  /** A button that fills the form again as it is now, with the address itself: a name may get another one. */
  #repeat(recipient: Account): HTMLButtonElement {
    const fields = [...['to', 'amount', 'message'].map(name => input(`send-${name}`)), assetList('send')];
    const values = [formatAccount(recipient), ...fields.slice(1).map(({ value }) => value)];
    return makeButton('Send again', '', () => {
      fields.forEach((field, at) => {
        field.value = values[at]!;
      });
      find('task', HTMLDialogElement).close();
      // In the form, a held Enter would submit it.
      part('send-heading').focus();
      void this.open();
    });
  }
}
