import { type Decision, fromHex, toHex } from '@zbc-signer/chain';
import { formatTime, type ListedEscrow, type ListedTransaction } from '@zbc-signer/host';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { element, showFacts } from '../dom.js';
import { InputError, onForm, readField } from '../fields.js';
import { formatAmount } from '../format.js';
import { sendDraft } from '../sending.js';
import type { Wallet, WalletAccount } from '../wallet.js';
import { fillList } from './listing.js';

const LISTED = 100;
const HELD = 'held';

/** The escrows that wait for the account's decision. */
export class EscrowView {
  constructor(private readonly wallet: Wallet) {
    onForm('decide-form', pressed =>
      this.#decideByHash(pressed?.getAttribute('value') === 'reject' ? 'reject' : 'approve'),
    );
  }

  /** Asks the gateway when the section is opened. */
  async open(): Promise<void> {
    const { account } = this.wallet;
    if (account === undefined) return;
    await fillList('escrow', async () =>
      (await this.#findWaiting(account)).map(entry => this.#describe(entry)),
    );
  }

  async #findWaiting({ address }: WalletAccount): Promise<WaitingEscrow[]> {
    const listed = await this.wallet.gateway.recentTransactions(LISTED);
    return listed.flatMap(transaction => {
      const { escrow, escrowState } = transaction;
      return escrowState === HELD && escrow?.approver === address ? [{ transaction, escrow }] : [];
    });
  }

  #describe({ transaction, escrow }: WaitingEscrow): HTMLElement {
    const facts = element('dl', 'facts');
    const { hash, sender, recipient } = transaction;
    showFacts(
      facts,
      [
        ['From', sender],
        ['To', recipient ?? 'nobody'],
        ['Deadline', formatTime(escrow.timeout)],
        ['Commission', formatAmount(0n, escrow.commission, [])],
        ...(escrow.instruction ? [['Instruction', escrow.instruction] as const] : []),
        ['Hash', toHex(hash)],
      ],
      /From|To|Hash/,
    );
    const buttons = (['approve', 'reject'] as const).map(decision => {
      const made = element('button', decision === 'approve' ? 'primary' : '', capital(decision));
      made.type = 'button';
      made.addEventListener('click', () => void this.#decide(decision, hash));
      return made;
    });
    const heading = element('div', 'entry', element('strong', '', this.#amountOf(transaction)));
    return element('li', '', heading, facts, element('div', 'row', ...buttons));
  }

  #amountOf({ content }: ListedTransaction): string {
    const { tokens } = this.wallet;
    if (content.kind === 'coins') return formatAmount(0n, content.amount, tokens);
    return content.kind === 'token' ? formatAmount(content.tokenId, content.amount, tokens) : 'a transfer';
  }

  async #decideByHash(decision: Decision): Promise<boolean> {
    const text = readField('decide-hash', String);
    if (/^(0x)?[0-9a-f]{64}$/i.test(text)) return this.#decide(decision, fromHex(text));
    throw new InputError('decide-hash', 'a transaction hash has 64 hexadecimal digits');
  }

  async #decide(approval: Decision, escrowHash: Uint8Array): Promise<boolean> {
    const title = `${capital(approval)} the escrow ${toHex(escrowHash).slice(0, 8)}…`;
    const isSent = await sendDraft(this.wallet, title, { type: APPROVAL_ESCROW, approval, escrowHash });
    void this.open();
    return isSent;
  }
}

interface WaitingEscrow {
  transaction: ListedTransaction;
  escrow: ListedEscrow;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
