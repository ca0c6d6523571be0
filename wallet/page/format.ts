import { cleanText, formatCoinAmount, formatUnits } from '@zbc-signer/chain';
import type { Token } from '@zbc-signer/host';

const MAX_SYMBOL = 12;
const COIN = 0n;

/** `ZBC_7VCHJHXE…2QK4`, to tell accounts apart; never to compare. */
export function shorten(address: string): string {
  return address.length <= 24 ? address : `${address.slice(0, 12)}…${address.slice(-4)}`;
}

/** The groups of an address, of eight characters each. */
export function addressGroups(address: string): string[] {
  return address.split('_');
}

/** `AMBER`, or `token 7` for one without a symbol. */
export function tokenName({ symbol, id }: Pick<Token, 'symbol' | 'id'>): string {
  const clean = cleanText(symbol ?? '', MAX_SYMBOL);
  return clean === '' ? `token ${id}` : clean;
}

/** `1.5 ZBC`, `2.5 AMBER (token 1)`, or atomic units of a token that the chain does not list. */
export function formatAmount(tokenId: bigint, atoms: bigint, tokens: readonly Token[]): string {
  if (tokenId === COIN) return formatCoinAmount(atoms);
  const token = tokens.find(({ id }) => id === tokenId);
  if (token === undefined) return `${atoms} atomic units of token ${tokenId}`;
  const name = token.symbol === undefined ? tokenName(token) : `${tokenName(token)} (token ${tokenId})`;
  return `${formatUnits(atoms, token.decimals)} ${name}`;
}
