import { type Answer, readList } from '../answer.js';

/**
 * A market. Prices are in atomic units of the quote token for one whole base token, the volume is in atomic
 * units of the base token. Token 0 is the coin.
 */
export interface Market {
  id: bigint;
  baseTokenId: bigint;
  quoteTokenId: bigint;
  status?: string | undefined;
  openedHeight?: bigint | undefined;
  lastPrice?: bigint | undefined;
  volume24h?: bigint | undefined;
}

/** The orders at one price; `amount` is their sum in atomic units of the base token. */
export interface Depth {
  price: bigint;
  amount: bigint;
  orders?: number | undefined;
}

/** An order book, with the best prices first. */
export interface OrderBook {
  marketId: bigint;
  bids: Depth[];
  asks: Depth[];
}

/** An amount of a token in its atomic units; token 0 is the coin. */
export interface TokenAmount {
  tokenId: bigint;
  amount: bigint;
}

/** An offer to swap tokens; `expiresAt` is in Unix seconds. */
export interface Offer {
  id: string;
  account?: string | undefined;
  gives: TokenAmount[];
  wants: TokenAmount[];
  expiresAt?: bigint | undefined;
  status?: string | undefined;
}

export function readMarket(answer: Answer): Market {
  return {
    id: answer.integer('market_id'),
    baseTokenId: answer.integer('base_token_id'),
    quoteTokenId: answer.integer('quote_token_id'),
    status: answer.optional('status', 'text'),
    openedHeight: answer.optional('opened_height', 'amount'),
    lastPrice: answer.optional('last_price', 'amount'),
    volume24h: answer.optional('volume_24h', 'amount'),
  };
}

/** The order book of `marketId`. */
export function readOrderBook(answer: Answer, marketId: bigint): OrderBook {
  return { marketId, bids: answer.list('bids').map(readDepth), asks: answer.list('asks').map(readDepth) };
}

function readDepth(answer: Answer): Depth {
  return {
    price: answer.amount('price'),
    amount: answer.amount('amount'),
    orders: answer.optional('orders', 'count'),
  };
}

export function readOffers(route: string, json: unknown): Offer[] {
  return readList(route, json, 'offers').map(answer => ({
    id: answer.label('offer_id'),
    account: answer.optional('address', 'holder'),
    gives: answer.list('gives').map(readTokenAmount),
    wants: answer.list('wants').map(readTokenAmount),
    expiresAt: answer.optional('expires_at', 'amount'),
    status: answer.optional('status', 'text'),
  }));
}

function readTokenAmount(answer: Answer): TokenAmount {
  return {
    tokenId: answer.has('token_id') ? answer.integer('token_id') : 0n,
    amount: answer.amount('amount'),
  };
}
