import {
  accountText,
  formatCoins,
  formatUnits,
  TRANSACTION_FORMATS,
  type Transaction,
} from '@zbc-signer/chain';
import { TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { GatewayMalformedError, GatewayStatusError } from '../../gateway/errors.js';
import type { ListedTransaction, Token } from '../../gateway/index.js';
import { askOthers } from '../chain/chain.js';
import { retryRead } from '../chain/retry.js';
import { insufficientBalanceError, tokenMismatchError, unknownTokenError } from '../errors.js';
import type { GatewayStep } from '../flow-step.js';
import type { Draft, TokenDraft } from './draft.js';

/** Maximum number of transactions that a gateway lists at once. */
const MAX_LISTED = 100;

/** The sender's spendable amounts in atomic units. `token` is set only for a token transfer. */
export interface Holdings {
  spendableCoins: bigint;
  token?: Token & { spendable: bigint };
}

/** Reads the holdings of an account. An account that the chain does not know has none. */
export async function readHoldings(step: GatewayStep, draft: Draft, address: string): Promise<Holdings> {
  const account = await retryRead(step, options => step.gateway.account(address, options));
  const spendableCoins = account?.spendable ?? 0n;
  step.report({ step: 'account', address, spendable: spendableCoins });
  return draft.type === TRANSFER_TOKEN
    ? { spendableCoins, token: await readTokenHolding(step, draft, address) }
    : { spendableCoins };
}

async function readTokenHolding(step: GatewayStep, { tokenId, decimals }: TokenDraft, address: string) {
  const token = await readToken(step, tokenId);
  if (decimals !== undefined) checkSameToken(token, { decimals }, 'in the draft');
  const held = await retryRead(step, options => step.gateway.accountTokens(address, options));
  const own = held.find(({ id }) => id === tokenId);
  if (own !== undefined) checkSameToken(token, own, 'in the list of the tokens of the account');
  const spendable = own?.spendable ?? 0n;
  step.report({ step: 'token', token, spendable });
  return { ...token, spendable };
}

/**
 * The token as the gateway and every other gateway that answers describe it. If there are other gateways, at
 * least one must know the token; a symbol or name that none of them reports is left out.
 */
async function readToken(step: GatewayStep, tokenId: bigint): Promise<Token> {
  const token = await retryRead(step, options => step.gateway.token(tokenId, options));
  if (token === undefined) throw unknownTokenError(tokenId);
  const { answers, failure } = await askOthers(step, (gateway, options) => gateway.token(tokenId, options));
  const known = answers.filter(({ answer }) => answer !== undefined);
  if (known.length === 0 && step.otherGateways.length > 0) throw failure ?? unknownTokenError(tokenId);
  for (const { gateway, answer } of known) checkSameToken(token, answer!, `at ${gateway.url}`);
  if (known.length === 0) return token;
  const { symbol, name, ...rest } = token;
  const isVouched = (field: 'symbol' | 'name') => known.some(({ answer }) => answer?.[field] !== undefined);
  return {
    ...rest,
    ...(symbol !== undefined && isVouched('symbol') && { symbol }),
    ...(name !== undefined && isVouched('name') && { name }),
  };
}

/** The fields of a token that a user sees. */
const SHOWN = ['decimals', 'symbol', 'name'] as const;

/** Throws `TOKEN_MISMATCH` if a field differs. A field that only one of the two has does not differ. */
function checkSameToken(token: Token, other: Partial<Token>, place: string): void {
  for (const field of SHOWN) {
    const [value, otherValue] = [token[field], other[field]];
    if (value !== undefined && otherValue !== undefined && value !== otherValue) {
      throw tokenMismatchError(token.id, { field, value, otherValue, place });
    }
  }
}

/** Throws `INSUFFICIENT_BALANCE`, before the user is asked, if the node would reject the transaction. */
export function checkHoldings(transaction: Transaction, { spendableCoins, token }: Holdings): void {
  const leaving = TRANSACTION_FORMATS[transaction.type].coinsLeaving(transaction);
  const coins = leaving + (transaction.escrow?.commission ?? 0n);
  if (coins > spendableCoins) {
    throw insufficientBalanceError(formatCoins(coins), formatCoins(spendableCoins), 'ZBC');
  }
  if (transaction.type === TRANSFER_TOKEN && token !== undefined && transaction.amount > token.spendable) {
    const [needed, spendable] = [transaction.amount, token.spendable].map(units =>
      formatUnits(units, token.decimals),
    );
    throw insufficientBalanceError(`${needed}`, `${spendable}`, `of token ${token.id}`);
  }
}

/**
 * Timestamps of the sender's recent transactions of this type to this recipient, which another process may
 * have sent. Empty if the gateway does not list recent transactions.
 */
export async function recentTimestamps(step: GatewayStep, transaction: Transaction): Promise<Set<bigint>> {
  const sender = accountText(transaction.sender);
  const recipient = accountText(transaction.recipient);
  const isSimilar = (listed: ListedTransaction) =>
    listed.type === transaction.type &&
    listed.sender === sender &&
    (listed.recipient === undefined || listed.recipient === recipient);
  const recent = await listRecent(step);
  return new Set(recent.filter(isSimilar).map(({ timestamp }) => timestamp));
}

async function listRecent(step: GatewayStep): Promise<ListedTransaction[]> {
  try {
    return await retryRead(step, options => step.gateway.recentTransactions(MAX_LISTED, options));
  } catch (error) {
    if (error instanceof GatewayStatusError || error instanceof GatewayMalformedError) return [];
    throw error;
  }
}
