import { accountFromHex, toHex } from '@zbc-signer/chain';
import type { FastifyInstance } from 'fastify';
import { findMarket, MARKETS, type Market } from '../node/development-data/markets.js';
import { SWAP_OFFERS, type SwapOffer } from '../node/development-data/offers.js';
import { ORDER_BOOKS, type PriceLevel } from '../node/development-data/order-books.js';
import { MIN_I64, parseIntegerParameter, requireFound } from '../node/http/parameters.js';
import type { TokenSum } from '../node/transaction/cost.js';
import { viewName } from '../node/views/account.js';

/**
 * Adds the routes of markets, order books and offers. Their data are fixed, because nothing on this network
 * is traded.
 */
export function addMarketRoutes(app: FastifyInstance): void {
  app.get('/api/v1/exchange/markets', () => ({ markets: MARKETS.map(viewMarket) }));
  app.get<{ Querystring: { market?: unknown } }>('/api/v1/exchange/orderbook', ({ query }) => {
    const id = parseIntegerParameter('market', query.market, MIN_I64);
    return viewOrderBook(requireFound(findMarket(id), 'Market'));
  });
  app.get('/api/v1/exchange/offers', () => ({ offers: SWAP_OFFERS.map(viewOffer) }));
}

function viewMarket({ id, baseTokenId, quoteTokenId, openedHeight, lastPrice, volume24h }: Market) {
  return {
    market_id: id,
    base_token_id: baseTokenId,
    quote_token_id: quoteTokenId,
    status: 'open',
    opened_height: openedHeight,
    last_price: lastPrice,
    volume_24h: volume24h,
  };
}

/** Returns both sides of the order book, each with the best price first. */
function viewOrderBook({ id }: Market) {
  const { bids, asks } = ORDER_BOOKS.get(id)!;
  return { market_id: id, bids: bids.map(viewLevel), asks: asks.map(viewLevel) };
}

function viewLevel({ price, amount, orders }: PriceLevel) {
  return { price, amount, orders };
}

function viewOffer({ id, account, gives, wants, expiresAt }: SwapOffer) {
  return {
    offer_id: id,
    ...viewName(accountFromHex(toHex(account))),
    gives: gives.map(viewSum),
    wants: wants.map(viewSum),
    expires_at: expiresAt,
    status: 'open',
  };
}

function viewSum({ tokenId, amount }: TokenSum) {
  return { token_id: tokenId, amount };
}
