import type { FastifyInstance } from 'fastify';
import { findMarket, MARKETS } from '../../node/development-data/markets.js';
import { SWAP_OFFERS } from '../../node/development-data/offers.js';
import { found, MIN_I64, parseIntegerParameter } from '../../node/http/parameters.js';
import { viewMarket, viewOffer, viewOrderBook } from '../market-view.js';

/** Development data: nothing on this network trades. */
export function addMarketRoutes(app: FastifyInstance): void {
  app.get('/api/v1/exchange/markets', () => ({ markets: MARKETS.map(viewMarket) }));
  app.get<{ Querystring: { market?: unknown } }>('/api/v1/exchange/orderbook', ({ query }) => {
    const id = parseIntegerParameter('market', query.market, MIN_I64);
    return viewOrderBook(found(findMarket(id), 'Market'));
  });
  app.get('/api/v1/exchange/offers', () => ({ offers: SWAP_OFFERS.map(viewOffer) }));
}
