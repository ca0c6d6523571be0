import { MAX_TOKEN_DECIMALS } from '../../../../protocol/limits.js';
import { type Answer, readList } from '../answer.js';
import { GatewayAnswerError } from '../errors.js';

/** Atomic units. */
export interface Balance {
  balance: bigint;
  spendable: bigint;
}

/** Text is cleaned of what could deceive a reader, and still only what somebody claims. */
export interface Token {
  id: bigint;
  decimals: number;
  supply?: bigint;
  name?: string;
  symbol?: string;
}

export type TokenBalance = Token & Balance;

export function readBalance(answer: Answer): Balance {
  return { balance: answer.amount('balance'), spendable: answer.amount('spendable_balance') };
}

export function readToken(answer: Answer): Token {
  const decimals = answer.count('decimals');
  if (decimals > MAX_TOKEN_DECIMALS) {
    throw new GatewayAnswerError(answer.route, `decimals is ${decimals}, more than ${MAX_TOKEN_DECIMALS}`);
  }
  return {
    id: answer.integer('token_id'),
    decimals,
    ...(answer.has('supply') && { supply: answer.amount('supply') }),
    ...(answer.has('name') && { name: answer.text('name') }),
    ...(answer.has('symbol') && { symbol: answer.text('symbol') }),
  };
}

export function readTokens(route: string, json: unknown): Token[] {
  return readList(route, json, 'tokens').map(readToken);
}

export function readTokenBalances(route: string, json: unknown): TokenBalance[] {
  return readList(route, json, 'tokens').map(answer => ({ ...readToken(answer), ...readBalance(answer) }));
}
