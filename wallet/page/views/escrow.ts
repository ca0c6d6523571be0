import { accountFromPublicKey, decodeTransaction, fromHex, sameAccount, toHex } from '@zbc-signer/chain';
import { formatText, formatTime, type ListedTransaction } from '@zbc-signer/host';
import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { element, find, input, onSubmit, part, showFacts } from '../dom.js';
import { formatAmount } from '../format.js';
import { sendDraft } from '../sending.js';
import { runTask } from '../task.js';
import type { Wallet, WalletAccount } from '../wallet.js';
import { InputError } from '../words.js';

const LISTED = 100;
const HELD = 'held';
/** The most that are asked for one by one. */
const MAX_HELD = 20;
type Decision = 'approve' | 'reject';

/** The escrows that wait for the account's decision. */
export class EscrowView {
  #shownFor = '';

  constructor(private readonly wallet: Wallet) {
    onSubmit(find('decide-form', HTMLFormElement), pressed => {
      void this.#decideByHash(pressed?.getAttribute('value') === 'reject' ? 'reject' : 'approve');
    });
  }

  /** Asks the gateway when the section is opened. */
  async open(): Promise<void> {
    const { account } = this.wallet;
    if (account === undefined) return;
    this.#shownFor = account.address;
    const found = await this.#findWaiting(account).catch(() => []);
    if (this.#shownFor !== account.address) return;
    part('no-escrows').hidden = found.length > 0;
    part('escrow-list').replaceChildren(...found.map(entry => this.#describe(entry)));
  }

  async #findWaiting(account: WalletAccount): Promise<WaitingEscrow[]> {
    const { gateway } = this.wallet;
    const own = accountFromPublicKey(account.publicKey);
    const listed = await gateway.recentTransactions(LISTED);
    const held = listed.filter(({ escrowState }) => escrowState === HELD).slice(0, MAX_HELD);
    const found = await Promise.all(
      held.map(async transaction => {
        const stored = await gateway.storedTransaction(transaction.hash);
        const { escrow } = stored === undefined ? {} : decodeTransaction(stored.unsigned);
        return escrow !== undefined && sameAccount(escrow.approver, own) ? [{ transaction, escrow }] : [];
      }),
    );
    return found.flat();
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
        ...(escrow.instruction.length === 0
          ? []
          : [['Instruction', formatText(escrow.instruction)] as const]),
        ['Hash', hash],
      ],
      /From|To|Hash/,
    );
    const buttons = (['approve', 'reject'] as const).map(decision => {
      const made = element('button', decision === 'approve' ? 'primary' : '', capital(decision));
      made.type = 'button';
      made.addEventListener('click', () => void this.#decide(decision, fromHex(hash)));
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

  async #decideByHash(decision: Decision): Promise<void> {
    const text = input('decide-hash').value.trim();
    if (!/^(0x)?[0-9a-f]{64}$/i.test(text)) {
      const error = new InputError('a transaction hash has 64 hexadecimal digits');
      await runTask('Decide an escrow', () => Promise.reject(error));
      return;
    }
    if (await this.#decide(decision, fromHex(text))) find('decide-form', HTMLFormElement).reset();
  }

  async #decide(decision: Decision, escrowHash: Uint8Array): Promise<boolean> {
    const title = `${capital(decision)} the escrow ${toHex(escrowHash).slice(0, 8)}…`;
    const approval = decision === 'approve' ? 0 : 1;
    const isSent = await sendDraft(this.wallet, title, { type: APPROVAL_ESCROW, approval, escrowHash });
    void this.open();
    return isSent;
  }
}

interface WaitingEscrow {
  transaction: ListedTransaction;
  escrow: NonNullable<ReturnType<typeof decodeTransaction>['escrow']>;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
