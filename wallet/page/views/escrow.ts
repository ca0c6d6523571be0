import { type Escrow, type EscrowDecision, parseCoins, toHex } from '@zbc-signer/chain';
import { accountMovements, formatTime, type ListedEscrow, type ListedTransaction } from '@zbc-signer/host';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import type { ActivityReader } from '../activity-reader.js';
import { parseRecipient } from '../contacts.js';
import { element, factList, input, makeButton } from '../dom.js';
import { fillAssets, readTransfer, titleOf } from '../drafts.js';
import { checkOnChange, InputError, onForm, readField, showAddress } from '../fields.js';
import { formatAmount } from '../format.js';
import { sendDraft } from '../sending.js';
import { shownAccount, type WalletAccount, type WalletState } from '../state.js';
import type { Wallet } from '../wallet.js';
import { fillList } from './listing.js';

const DAY_SECONDS = 86_400;

/** The escrows that wait for the account's decision, and the form for a new escrow. */
export class EscrowView {
  constructor(
    private readonly wallet: Wallet,
    private readonly activity: ActivityReader,
  ) {
    onForm('escrow-form', () => this.#make());
    for (const field of ['escrow-to', 'escrow-approver']) {
      checkOnChange(field, () => void readField(field, text => parseRecipient(wallet.state, text)));
      showAddress(field, text => parseRecipient(wallet.state, text));
    }
  }

  update(): void {
    const account = shownAccount(this.wallet.state);
    if (account !== undefined) fillAssets('escrow', account);
  }

  /** Lists the escrows when the user opens Escrow. */
  async open(): Promise<void> {
    const account = shownAccount(this.wallet.state);
    if (account === undefined) return;
    const fill = () =>
      fillList('escrow', async () => (await this.#findWaiting(account)).map(entry => this.#describe(entry)));
    await fill();
    await this.activity.read(() => undefined);
    await fill();
  }

  async #findWaiting({ address }: WalletAccount): Promise<WaitingEscrow[]> {
    const lists = { transactions: await this.activity.newest(), movements: [] };
    return accountMovements(address, this.activity.span, lists)
      .reverse()
      .flatMap(({ kind, status, transaction }) => {
        const escrow = transaction?.escrow;
        const state = status === 'reported' ? transaction?.escrowState : status;
        return kind === 'escrow' && state === 'held' && escrow?.approver === address
          ? [{ transaction: transaction as ListedTransaction, escrow }]
          : [];
      });
  }

  #describe({ transaction, escrow }: WaitingEscrow): HTMLElement {
    const { hash, sender, recipient } = transaction;
    const facts = factList([
      ['From', sender],
      ['To', recipient ?? 'nobody'],
      ['Deadline', formatTime(escrow.timeout)],
      ['Commission', formatAmount(0n, escrow.commission, [])],
      ...(escrow.instruction ? [['Instruction', escrow.instruction] as const] : []),
      ['Hash', toHex(hash)],
    ]);
    const buttons = [
      makeButton('Approve', 'primary', () => this.#decide('approve', hash)),
      makeButton('Reject', '', () => this.#decide('reject', hash)),
    ];
    const heading = element('div', 'entry', element('strong', '', this.#amountOf(transaction)));
    return element('li', '', heading, facts, element('div', 'row', ...buttons));
  }

  #amountOf({ content }: ListedTransaction): string {
    const { tokens } = this.wallet.state;
    if (content.kind === 'coins') return formatAmount(0n, content.amount, tokens);
    return content.kind === 'token' ? formatAmount(content.tokenId, content.amount, tokens) : 'a transfer';
  }

  #make(): Promise<boolean> {
    const draft = { ...readTransfer('escrow', this.wallet.state), escrow: readEscrow(this.wallet.state) };
    return sendDraft(
      this.wallet,
      `Escrow ${titleOf('escrow', shownAccount(this.wallet.state))}`,
      draft,
      'escrow-amount',
    );
  }

  async #decide(approval: EscrowDecision, escrowHash: Uint8Array): Promise<boolean> {
    const short = toHex(escrowHash).slice(0, 8);
    const title = approval === 'approve' ? `Approve the escrow ${short}…` : `Reject the escrow ${short}…`;
    const isSent = await sendDraft(this.wallet, title, { type: APPROVAL_ESCROW, approval, escrowHash });
    void this.open();
    return isSent;
  }
}

function readEscrow(state: WalletState): Escrow {
  const days = Number(input('escrow-days').value);
  if (!Number.isInteger(days) || days < 1)
    throw new InputError('escrow-days', 'the deadline is a whole number of days');
  return {
    approver: readField('escrow-approver', text => parseRecipient(state, text)),
    commission: readField('escrow-commission', parseCoins),
    timeout: BigInt(Math.floor(Date.now() / 1000) + days * DAY_SECONDS),
    instruction: new TextEncoder().encode(input('escrow-instruction').value),
    multiParty: false,
  };
}

interface WaitingEscrow {
  transaction: ListedTransaction;
  escrow: ListedEscrow;
}
