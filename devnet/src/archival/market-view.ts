import { accountFromHex, toHex } from '@zbc-signer/chain';
import type { Market } from '../node/development-data/markets.js';
import type { SwapOffer } from '../node/development-data/offers.js';
import { type Level, ORDER_BOOKS } from '../node/development-data/order-books.js';
import type { Sum } from '../node/transaction/cost.js';
import { viewName } from '../node/views/account.js';

export function viewMarket({ id, baseTokenId, quoteTokenId, openedHeight, lastPrice, volume24h }: Market) {
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

/** Both sides with the best price first. */
export function viewOrderBook({ id }: Market) {
  const { bids, asks } = ORDER_BOOKS.get(id)!;
  return { market_id: id, bids: bids.map(viewLevel), asks: asks.map(viewLevel) };
}

function viewLevel({ price, amount, orders }: Level) {
  return { price, amount, orders };
}

export function viewOffer({ id, account, gives, wants, expiresAt }: SwapOffer) {
  return {
    offer_id: id,
    ...viewName(accountFromHex(toHex(account))),
    gives: gives.map(viewSum),
    wants: wants.map(viewSum),
    expires_at: expiresAt,
    status: 'open',
  };
}

function viewSum({ tokenId, amount }: Sum) {
  return { token_id: tokenId, amount };
}
