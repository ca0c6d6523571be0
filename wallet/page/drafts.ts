import { COIN_DECIMALS, MAX_I64, parseCoins, parseUnits } from '@zbc-signer/chain';
import type { SendDraft, TokenBalance, TokenDraft } from '@zbc-signer/host';
import { SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { parseRecipient } from './contacts.js';
import { find, input } from './dom.js';
import { InputError, readField } from './fields.js';
import { formatAmount, localUnits, tokenName, withPoint } from './format.js';
import { shownAccount, type WalletAccount, type WalletState } from './state.js';

/** The form of a transfer: its fields are `send-to`, `send-amount` and so on. */
export type TransferForm = 'send' | 'escrow';

export const COIN = '0';

export function assetList(form: TransferForm): HTMLSelectElement {
  return find(`${form}-asset`, HTMLSelectElement);
}

/**
 * Lists the account's assets, each with the spendable amount. If the chosen asset is gone, no asset is chosen,
 * because the amount was for that asset.
 */
export function fillAssets(form: TransferForm, { balance, tokens }: WalletAccount): void {
  const list = assetList(form);
  const options = [
    [`ZBC · ${balance === undefined ? '–' : localUnits(balance.spendable, COIN_DECIMALS)}`, COIN],
    ...tokens.map(token => [
      `${assetName(token)} · ${localUnits(token.spendable, token.decimals)}`,
      `${token.id}`,
    ]),
  ] as const;
  const texts = options.map(([text]) => text).join();
  if ([...list.options].map(({ text }) => text).join() === texts) return;
  const chosen = list.length === 0 ? COIN : list.value;
  list.replaceChildren(...options.map(([text, value]) => new Option(text, value)));
  list.value = chosen;
}

/**
 * The chosen token. Undefined for coins, even if the gateway has a name for token 0, and for a token that is
 * gone.
 */
export function chosenToken(form: TransferForm, account: WalletAccount): TokenBalance | undefined {
  const { value } = assetList(form);
  return value === COIN ? undefined : account.tokens.find(({ id }) => `${id}` === value);
}

/** Formats an amount of the chosen asset. */
export function formatChosen(form: TransferForm, account: WalletAccount, atoms: bigint): string {
  return formatAmount(chosenToken(form, account)?.id ?? 0n, atoms, account.tokens);
}

/** The amount of the chosen asset that can be spent, in atomic units. */
export function spendable(form: TransferForm, account: WalletAccount): bigint {
  return chosenToken(form, account)?.spendable ?? account.balance?.spendable ?? 0n;
}

/** Reads the amount, in atomic units. Throws InputError. */
export function readAmount(form: TransferForm, account: WalletAccount): bigint {
  const token = chosenToken(form, account);
  return readField(`${form}-amount`, text =>
    token === undefined ? parseCoins(withPoint(text)) : parseUnits(withPoint(text), token.decimals, MAX_I64),
  );
}

const assetName = (token: TokenBalance): string => `${tokenName(token)} (token ${token.id})`;

/** The amount as typed, with the asset, such as `1.5 ZBC`. */
export function titleOf(form: TransferForm, account: WalletAccount | undefined): string {
  const token = account && chosenToken(form, account);
  return `${input(`${form}-amount`).value.trim()} ${token === undefined ? 'ZBC' : assetName(token)}`;
}

/** Reads the fields of a transfer. Throws InputError for an invalid field. */
export function readTransfer(form: TransferForm, state: WalletState): SendDraft | TokenDraft {
  const account = shownAccount(state);
  const recipient = readField(`${form}-to`, text => parseRecipient(state, text));
  const asset = assetList(form).value;
  const token = account && chosenToken(form, account);
  if (account === undefined || (asset !== COIN && token === undefined)) {
    throw new InputError(`${form}-asset`, 'the account does not hold this token');
  }
  const amount = readAmount(form, account);
  if (token === undefined) return { type: SEND_ZBC, amount, recipient };
  return { type: TRANSFER_TOKEN, tokenId: token.id, amount, decimals: token.decimals, recipient };
}
