import { GENESIS_TOKENS } from '../genesis.js';
import { MARKETS, type Market } from './markets.js';

/** All orders at one price. `amount` is in atomic units of the base token. */
export interface PriceLevel {
  price: bigint;
  amount: bigint;
  orders: number;
}

/** Bids and asks, each with the best price first. */
interface OrderBook {
  bids: readonly PriceLevel[];
  asks: readonly PriceLevel[];
}

/**
 * Levels of each side: the distance from the last price in basis points, and the size in tenths of a whole
 * base token.
 */
const STEPS = [
  { distance: 10n, tenths: 12n, orders: 2 },
  { distance: 25n, tenths: 30n, orders: 5 },
  { distance: 60n, tenths: 75n, orders: 3 },
  { distance: 150n, tenths: 410n, orders: 8 },
  { distance: 400n, tenths: 2_000n, orders: 11 },
] as const;

/**
 * Order books by market id. The market without trades has an empty book; the market with a price of 3 has few
 * levels.
 */
export const ORDER_BOOKS: ReadonlyMap<bigint, OrderBook> = new Map(
  MARKETS.map(market => [market.id, market.volume24h === 0n ? { bids: [], asks: [] } : bookOf(market)]),
);

function bookOf(market: Market): OrderBook {
  const whole = 10n ** BigInt(GENESIS_TOKENS.find(({ id }) => id === market.baseTokenId)!.decimals);
  const levels = (side: 1n | -1n) =>
    STEPS.map(({ distance, tenths, orders }, at) => ({
      // Prices of levels differ by at least one unit, even if the price is too small for basis points.
      price: market.lastPrice + side * ((market.lastPrice * distance) / 10_000n + BigInt(at + 1)),
      amount: (whole * tenths) / 10n + 1n,
      orders,
    })).filter(({ price }) => price > 0n);
  return { bids: levels(-1n), asks: levels(1n) };
}
