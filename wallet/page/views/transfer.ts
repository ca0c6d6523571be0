import {
  type Escrow,
  formatCoinAmount,
  formatUnits,
  MAX_I64,
  parseAccount,
  parseCoins,
  parseUnits,
} from '@zbc-signer/chain';
import type { SendDraft, TokenDraft } from '@zbc-signer/host';
import { SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { find, input, part } from '../dom.js';
import { InputError, onForm, readField } from '../fields.js';
import { tokenName } from '../format.js';
import { parsePaymentLink } from '../payment-link.js';
import { sendDraft } from '../sending.js';
import type { Wallet, WalletAccount } from '../wallet.js';

const COIN = '0';
const DAY_SECONDS = 86_400;

/** The two forms for transfers: one that is paid at once, one that is held in escrow. */
export class TransferView {
  readonly #assets = [find('send-asset', HTMLSelectElement), find('escrow-asset', HTMLSelectElement)];

  constructor(private readonly wallet: Wallet) {
    this.#bind('send-form', 'send');
    this.#bind('escrow-form', 'escrow');
    this.#assets[0]!.addEventListener('change', () => this.update());
    const recipient = input('send-to');
    recipient.addEventListener('input', () => this.fill(recipient.value.trim()));
  }

  /** With what a payment link asks for; the user reads it and submits. */
  fill(link: string): void {
    const asked = parsePaymentLink(link);
    if (asked === undefined) return;
    this.#assets[0]!.value = COIN;
    for (const [name, value] of Object.entries(asked)) {
      const field = input(`send-${name}`);
      // A script may exceed what a user can type.
      field.value = value.slice(0, field.maxLength);
    }
    this.update();
  }

  update(): void {
    const { account } = this.wallet;
    if (account === undefined) return;
    const options = [
      ['ZBC', COIN],
      ...account.tokens.map(token => [describe(token), `${token.id}`]),
    ] as const;
    const texts = options.map(([text]) => text).join();
    for (const list of this.#assets) {
      if ([...list.options].map(({ text }) => text).join() === texts) continue;
      const chosen = list.length === 0 ? COIN : list.value;
      list.replaceChildren(...options.map(([text, value]) => new Option(text, value)));
      // What is gone leaves nothing chosen, rather than the same amount of another asset.
      list.value = chosen;
    }
    part('send-amount-hint').textContent = `Spendable: ${spendable(account, this.#assets[0]!.value)}.`;
  }

  #bind(formId: string, prefix: 'send' | 'escrow'): void {
    onForm(formId, () => this.#send(prefix));
    find(formId, HTMLFormElement).addEventListener('reset', () => queueMicrotask(() => this.update()));
  }

  async #send(prefix: 'send' | 'escrow'): Promise<boolean> {
    const draft = this.#draft(prefix);
    return sendDraft(this.wallet, this.#title(prefix), draft, `${prefix}-amount`);
  }

  #title(prefix: 'send' | 'escrow'): string {
    const asset = find(`${prefix}-asset`, HTMLSelectElement);
    const name = asset.value === COIN ? 'ZBC' : (asset.selectedOptions[0]?.text ?? 'tokens');
    const amount = input(`${prefix}-amount`).value.trim();
    return prefix === 'send' ? `Send ${amount} ${name}` : `Escrow ${amount} ${name}`;
  }

  /** Throws for a field that is wrong. */
  #draft(prefix: 'send' | 'escrow'): SendDraft | TokenDraft {
    const recipient = readField(`${prefix}-to`, parseAccount);
    const amountField = `${prefix}-amount`;
    const asset = find(`${prefix}-asset`, HTMLSelectElement).value;
    const message = prefix === 'send' ? input('send-message').value : '';
    const base = {
      recipient,
      ...(message !== '' && { message: new TextEncoder().encode(message) }),
      ...(prefix === 'escrow' && { escrow: readEscrow() }),
    };
    if (asset === COIN) return { type: SEND_ZBC, amount: readField(amountField, parseCoins), ...base };
    const token = this.wallet.account?.tokens.find(({ id }) => `${id}` === asset);
    if (token === undefined) throw new InputError(`${prefix}-asset`, 'the account does not hold this token');
    const { id: tokenId, decimals } = token;
    return {
      type: TRANSFER_TOKEN,
      tokenId,
      amount: readField(amountField, text => parseUnits(text, decimals, MAX_I64)),
      decimals,
      ...base,
    };
  }
}

function readEscrow(): Escrow {
  const days = Number(input('escrow-days').value);
  if (!Number.isInteger(days) || days < 1)
    throw new InputError('escrow-days', 'the deadline is a whole number of days');
  return {
    approver: readField('escrow-approver', parseAccount),
    commission: readField('escrow-commission', parseCoins),
    timeout: BigInt(Math.floor(Date.now() / 1000) + days * DAY_SECONDS),
    instruction: new TextEncoder().encode(input('escrow-instruction').value),
    multiParty: false,
  };
}

function describe(token: WalletAccount['tokens'][number]): string {
  return `${tokenName(token)} (token ${token.id})`;
}

function spendable({ balance, tokens }: WalletAccount, asset: string): string {
  const token = tokens.find(({ id }) => `${id}` === asset);
  return token === undefined
    ? formatCoinAmount(balance?.spendable ?? 0n)
    : `${formatUnits(token.spendable, token.decimals)} ${tokenName(token)}`;
}
