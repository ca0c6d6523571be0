import { fromHex, toHex } from '@zbc-signer/chain';
import {
  formatTime,
  type PendingPayment,
  type ResumedPayment,
  type SignedTransaction,
  safeAfter,
} from '@zbc-signer/host';
import { element, factList, foldedFacts, makeButton, part, say } from '../dom.js';
import { forget, noteSeen, resume } from '../payments.js';
import { saveSigned } from '../sending.js';
import type { Wallet } from '../wallet.js';
import { describeError, describePending } from '../words.js';

/** The facts that distinguish payments; the type is in the heading. */
const TOLD = ['Amount', 'Token', 'Token amount', 'Escrow decision', 'Recipient'];

/** The payments that were signed but are not settled, also those from before a reload, and their outcomes. */
export class UnsettledView {
  #shown = '';

  constructor(private readonly wallet: Wallet) {}

  update(): void {
    const { unsettled, resumed, journalError, isResuming } = this.wallet.state;
    const settled = resumed.filter(({ status }) => status !== 'unknown');
    const shown = [
      ...unsettled.map(payment => {
        const { transactionHash, sent, isHeld } = payment;
        return [toHex(transactionHash), sent, isHeld, this.#errorOf(payment)].join(' ');
      }),
      ...settled.map(({ payment, status }) => `${toHex(payment.transactionHash)} ${status}`),
      journalError,
      isResuming,
    ].join();
    part('unsettled').hidden = unsettled.length + settled.length === 0 && journalError === undefined;
    if (shown === this.#shown) return;
    this.#shown = shown;
    say('unsettled-step', isResuming ? 'Asking the chain…' : '');
    part('unsettled-list').replaceChildren(
      ...(journalError === undefined ? [] : [this.#describeFault(journalError)]),
      ...unsettled.map(payment => this.#describeUnknown(payment)),
      ...settled.map(each => this.#describeSettled(each)),
    );
  }

  /** The error of a payment at the last `resume`, if any. */
  #errorOf({ transactionHash }: SignedTransaction): unknown {
    const hash = toHex(transactionHash);
    return this.wallet.state.resumed.find(({ payment }) => toHex(payment.transactionHash) === hash)?.error;
  }

  #describeUnknown(payment: PendingPayment): HTMLElement {
    const error = this.#errorOf(payment);
    const forget = this.#forgetButton(payment.transactionHash);
    const look = makeButton('Check and send', 'primary', () => resume(this.wallet));
    look.disabled = this.wallet.state.isResuming;
    const words = describePending(payment, formatTime(safeAfter(payment.transaction)));
    if (payment.isHeld) {
      const save = makeButton('Save the file', '', () => saveSigned(payment));
      return describePayment(payment, element('p', '', words), element('div', 'row', save, forget));
    }
    return describePayment(
      payment,
      element('p', '', words),
      ...(error === undefined ? [] : [describeError(error)]),
      element('div', 'row', look, forget),
    );
  }

  #describeSettled({ payment, status, blockHeight }: ResumedPayment): HTMLElement {
    const words = {
      confirmed: blockHeight === undefined ? 'It was made.' : `It was made, in block ${blockHeight}.`,
      accepted: 'A node has it. The payment is made once a block has it: see Activity.',
      expired: 'The gateway says that the chain does not have it, and no longer accepts it: it was not made.',
      unknown: '',
      leftAlone: '',
    }[status];
    const done = makeButton('Understood', '', () => noteSeen(this.wallet, payment.transactionHash));
    return describePayment(payment, element('p', '', words), element('div', 'row', done));
  }

  /**
   * Describes a failure of the journal. A damaged entry prevents all payments, because its payment may have
   * been made. Therefore the user can tell the wallet to forget the entry. If its key is not a hash, the
   * entry belongs to another program and must stay.
   */
  #describeFault(error: unknown): HTMLElement {
    const hash = String(Reflect.get(Object(Reflect.get(Object(error), 'facts')), 'earlierHash'));
    const forget = /^[0-9a-f]{64}$/.test(hash) ? [this.#forgetButton(fromHex(hash))] : [];
    return element('li', '', describeError(error), element('div', 'row', ...forget));
  }

  #forgetButton(transactionHash: Uint8Array): HTMLButtonElement {
    return makeButton('Forget', '', async () => {
      const question = 'Forget this payment? If it was made, paying again pays twice.';
      if (confirm(question)) await forget(this.wallet, transactionHash);
    });
  }
}

function describePayment(
  { review, transactionHash }: SignedTransaction,
  ...children: HTMLElement[]
): HTMLElement {
  const type = review.find(([name]) => name === 'Type')?.[1] ?? '';
  const facts = factList(review.filter(([name]) => TOLD.includes(name)));
  const folded = foldedFacts([['Transaction', toHex(transactionHash)]]);
  return element('li', '', element('strong', '', type), facts, ...children, folded);
}
