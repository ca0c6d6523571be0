import { type Decision, type Escrow, fromHex, parseAccount, parseCoins, toHex } from '@zbc-signer/chain';
import { formatTime, type ListedEscrow, type ListedTransaction } from '@zbc-signer/host';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { HELD } from '../activity-reader.js';
import { element, factList, input, makeButton } from '../dom.js';
import { fillAssets, readTransfer, titleOf } from '../drafts.js';
import { checkOnChange, InputError, onForm, readField } from '../fields.js';
import { formatAmount } from '../format.js';
import { t } from '../language.js';
import { sendDraft } from '../sending.js';
import type { Wallet, WalletAccount } from '../wallet.js';
import { fillList } from './listing.js';

const DAY_SECONDS = 86_400;

/** The escrows that wait for the account's decision, and the form for a new escrow. */
export class EscrowView {
  constructor(private readonly wallet: Wallet) {
    onForm('decide-form', pressed =>
      this.#decideByHash(pressed?.getAttribute('value') === 'reject' ? 'reject' : 'approve'),
    );
    onForm('escrow-form', () => this.#make());
    for (const field of ['escrow-to', 'escrow-approver']) {
      checkOnChange(field, () => void readField(field, parseAccount));
    }
  }

  update(): void {
    if (this.wallet.account !== undefined) fillAssets('escrow', this.wallet.account);
  }

  /** Lists the escrows when the user opens Escrow. */
  async open(): Promise<void> {
    const { account } = this.wallet;
    if (account === undefined) return;
    const fill = () =>
      fillList('escrow', async () => (await this.#findWaiting(account)).map(entry => this.#describe(entry)));
    await fill();
    await this.wallet.activity.read(() => undefined);
    await fill();
  }

  async #findWaiting({ address }: WalletAccount): Promise<WaitingEscrow[]> {
    const { activity } = this.wallet;
    const newest = await activity.newest();
    const known = new Set(newest.map(({ hash }) => toHex(hash)));
    const older = activity.of(address).filter(({ hash }) => !known.has(toHex(hash)));
    return [...newest, ...older].flatMap(transaction => {
      const { escrow, escrowState } = transaction;
      return escrowState === HELD && escrow?.approver === address ? [{ transaction, escrow }] : [];
    });
  }

  #describe({ transaction, escrow }: WaitingEscrow): HTMLElement {
    const { hash, sender, recipient } = transaction;
    const facts = factList([
      [t`From`, sender],
      [t`To`, recipient ?? t`nobody`],
      [t`Deadline`, formatTime(escrow.timeout)],
      [t`Commission`, formatAmount(0n, escrow.commission, [])],
      ...(escrow.instruction ? [[t`Instruction`, escrow.instruction] as const] : []),
      [t`Hash`, toHex(hash)],
    ]);
    const buttons = [
      makeButton(t`Approve`, 'primary', () => this.#decide('approve', hash)),
      makeButton(t`Reject`, '', () => this.#decide('reject', hash)),
    ];
    const heading = element('div', 'entry', element('strong', '', this.#amountOf(transaction)));
    return element('li', '', heading, facts, element('div', 'row', ...buttons));
  }

  #amountOf({ content }: ListedTransaction): string {
    const { tokens } = this.wallet;
    if (content.kind === 'coins') return formatAmount(0n, content.amount, tokens);
    return content.kind === 'token' ? formatAmount(content.tokenId, content.amount, tokens) : t`a transfer`;
  }

  #make(): Promise<boolean> {
    const draft = { ...readTransfer('escrow', this.wallet), escrow: readEscrow() };
    return sendDraft(this.wallet, t`Escrow ${titleOf('escrow')}`, draft, 'escrow-amount');
  }

  async #decideByHash(decision: Decision): Promise<boolean> {
    const text = readField('decide-hash', String);
    if (/^(0x)?[0-9a-f]{64}$/i.test(text)) return this.#decide(decision, fromHex(text));
    throw new InputError('decide-hash', t`a transaction hash has 64 hexadecimal digits`);
  }

  async #decide(approval: Decision, escrowHash: Uint8Array): Promise<boolean> {
    const short = toHex(escrowHash).slice(0, 8);
    const title = approval === 'approve' ? t`Approve the escrow ${short}…` : t`Reject the escrow ${short}…`;
    const isSent = await sendDraft(this.wallet, title, { type: APPROVAL_ESCROW, approval, escrowHash });
    void this.open();
    return isSent;
  }
}

function readEscrow(): Escrow {
  const days = Number(input('escrow-days').value);
  if (!Number.isInteger(days) || days < 1)
    throw new InputError('escrow-days', t`the deadline is a whole number of days`);
  return {
    approver: readField('escrow-approver', parseAccount),
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
