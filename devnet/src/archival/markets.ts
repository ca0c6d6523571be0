import { accountFromPublicKey } from '@zbc-signer/chain';
import type { FastifyInstance } from 'fastify';
import { developmentKey } from '../node/development-data/registry.js';
import { COIN } from '../node/genesis.js';
import { MIN_I64, parseIntegerParameter, requireFound } from '../node/http/parameters.js';
import { viewName } from '../node/views/account.js';

/**
 * Adds the routes of markets, order books and offers. Their data are fixed, because nothing on this network
 * is traded.
 */
export function addMarketRoutes(app: FastifyInstance): void {
  app.get('/api/v1/exchange/markets', () => ({ markets: MARKETS }));
  app.get<{ Querystring: { market?: unknown } }>('/api/v1/exchange/orderbook', ({ query }) => {
    const id = parseIntegerParameter('market', query.market, MIN_I64);
    const { market_id, last_price, volume_24h } = requireFound(
      MARKETS.find(market => market.market_id === id),
      'Market',
    );
    // The market without trades has an empty book, and no price is below 1.
    const levels = (step: bigint) =>
      volume_24h === 0n
        ? []
        : [1n, 2n, 3n]
            .map(at => ({ price: last_price + at * step, amount: 10n ** at + 1n, orders: Number(at) }))
            .filter(({ price }) => price > 0n);
    return { market_id, bids: levels(-1n), asks: levels(1n) };
  });
  app.get('/api/v1/exchange/offers', () => ({ offers: OFFERS }));
}

const market = (market_id: bigint, base: bigint, quote: bigint, last_price: bigint, volume_24h: bigint) => ({
  market_id,
  base_token_id: base,
  quote_token_id: quote,
  status: 'open',
  opened_height: 0n,
  last_price,
  volume_24h,
});

/**
 * Markets that have been open since the genesis. Their ids include negative ones, the largest i64, and values
 * above 2^53.
 */
const MARKETS = [
  market(4_611_686_018_427_387_905n, 1n, COIN, 12_500_000n, 48_250_000_000n),
  market(-7_311_042_890_187_345_921n, 2n, COIN, 250_000_000n, 1_204n),
  market(9_007_199_254_740_993n, 3n, COIN, 42n, 9_007_199_254_740_995n),
  market(-42n, 5n, 2n, 3n, 7_700n),
  market(9_223_372_036_854_775_807n, 14n, 1n, 99_999_999n, 0n),
];

type Sum = readonly [tokenId: bigint, amount: bigint];

const viewSum = ([token_id, amount]: Sum) => ({ token_id, amount });

const offer = (offer_id: bigint, name: string, gives: readonly Sum[], wants: readonly Sum[]) => ({
  offer_id,
  ...viewName(accountFromPublicKey(developmentKey(name))),
  gives: gives.map(viewSum),
  wants: wants.map(viewSum),
  // 2100-01-01 00:00:00 UTC.
  expires_at: 4_102_444_800n,
  status: 'open',
});

/** Offers to swap tokens, all or nothing. */
const OFFERS = [
  offer(6_052_837_899_185_946_625n, 'swapper 1', [[1n, 250_000_000n]], [[COIN, 31_250_000n]]),
  offer(
    -3_458_764_513_820_540_927n,
    'swapper 2',
    [
      [2n, 3n],
      [8n, 9_007_199_254_740_993n],
    ],
    [[14n, 100_000_000n]],
  ),
];
