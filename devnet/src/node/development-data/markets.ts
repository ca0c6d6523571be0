import { COIN } from '../genesis.js';

/**
 * Prices are atomic units of the quote token for one whole base token; `volume24h` is in atomic units of the
 * base token.
 */
export interface Market {
  id: bigint;
  baseTokenId: bigint;
  quoteTokenId: bigint;
  openedHeight: bigint;
  lastPrice: bigint;
  volume24h: bigint;
}

const market = (
  id: bigint,
  baseTokenId: bigint,
  quoteTokenId: bigint,
  lastPrice: bigint,
  volume24h: bigint,
) => ({
  id,
  baseTokenId,
  quoteTokenId,
  openedHeight: 0n,
  lastPrice,
  volume24h,
});

/**
 * Markets that have been open since the genesis. Their ids include negative ones, the largest i64, and values
 * above 2^53.
 */
export const MARKETS: readonly Market[] = [
  market(4_611_686_018_427_387_905n, 1n, COIN, 12_500_000n, 48_250_000_000n),
  market(-7_311_042_890_187_345_921n, 2n, COIN, 250_000_000n, 1_204n),
  market(9_007_199_254_740_993n, 3n, COIN, 42n, 9_007_199_254_740_995n),
  market(-42n, 5n, 2n, 3n, 7_700n),
  market(9_223_372_036_854_775_807n, 14n, 1n, 99_999_999n, 0n),
];

export function findMarket(id: bigint): Market | undefined {
  return MARKETS.find(market => market.id === id);
}
