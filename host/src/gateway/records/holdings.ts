import { cleanSymbol } from '@zbc-signer/chain';
import { MAX_TOKEN_DECIMALS } from '@zbc-signer/protocol/limits';
import { type Answer, readList } from '../answer.js';
import { GatewayMalformedError } from '../errors.js';

/** A balance in atomic units. */
export interface Balance {
  balance: bigint;
  spendable: bigint;
}

/** Name and symbol are cleaned for printing, but anyone may choose them. A symbol is one that the device can show. */
export interface Token {
  id: bigint;
  decimals: number;
  supply?: bigint;
  name?: string;
  symbol?: string;
}

/** An account's holding of a token, in atomic units. */
export type TokenBalance = Token & Balance;

export function readBalance(answer: Answer): Balance {
  return { balance: answer.amount('balance'), spendable: answer.amount('spendable_balance') };
}

export function readToken(answer: Answer): Token {
  const decimals = answer.count('decimals');
  if (decimals > MAX_TOKEN_DECIMALS) {
    throw new GatewayMalformedError(answer.route, `decimals is ${decimals}, more than ${MAX_TOKEN_DECIMALS}`);
  }
  const symbol = cleanSymbol(answer.has('symbol') ? answer.rawText('symbol') : undefined);
  return {
    id: answer.integer('token_id'),
    decimals,
    ...(answer.has('supply') && { supply: answer.amount('supply') }),
    ...(answer.has('name') && { name: answer.text('name') }),
    ...(symbol !== undefined && { symbol }),
  };
}

export function readTokens(route: string, json: unknown): Token[] {
  return readList(route, json, 'tokens').map(readToken);
}

export function readTokenBalances(route: string, json: unknown): TokenBalance[] {
  return readList(route, json, 'tokens').map(answer => ({ ...readToken(answer), ...readBalance(answer) }));
}
