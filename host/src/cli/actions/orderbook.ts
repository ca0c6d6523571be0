import type { Depth, Market, OrderBook } from '../../gateway/index.js';
import { UnknownMarketError } from '../errors.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatColumns } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';
import { Units } from '../units.js';
import { parseId } from '../values.js';

interface OrderBookOptions {
  market: string;
  api?: string | undefined;
}

export async function showOrderBook(options: OrderBookOptions, terminal: Terminal): Promise<Outcome> {
  const marketId = parseId('the market', options.market);
  const gateway = openGateway(options);
  const reader = createReader(terminal);
  const book = await retryRead(reader, request => gateway.orderBook(marketId, request));
  if (book === undefined) {
    throw new UnknownMarketError(marketId);
  }
  const markets = await retryRead(reader, request => gateway.markets(request));
  const market = markets.find(({ id }) => id === marketId);
  const ids = market === undefined ? [] : [market.baseTokenId, market.quoteTokenId];
  const units = await Units.read(gateway, reader, ids);
  return { json: bookJson(book), text: describeBook(book, market, units) };
}

function bookJson({ marketId, bids, asks }: OrderBook): Record<string, unknown> {
  return { market_id: marketId, bids: bids.map(depthJson), asks: asks.map(depthJson) };
}

function depthJson({ price, amount, orders }: Depth): Record<string, unknown> {
  return { price, amount, ...(orders !== undefined && { orders }) };
}

/** As a ladder: the best ask right above the best bid. */
function describeBook({ bids, asks }: OrderBook, market: Market | undefined, units: Units): string {
  const price = (atoms: bigint) =>
    market === undefined ? `${atoms}` : units.format(market.quoteTokenId, atoms);
  const amount = (atoms: bigint) =>
    market === undefined ? `${atoms}` : units.format(market.baseTokenId, atoms);
  const row = (side: string) => (depth: Depth) => [
    side,
    price(depth.price),
    amount(depth.amount),
    `${depth.orders ?? ''}`,
  ];
  const rows = [...asks.toReversed().map(row('sell')), ...bids.map(row('buy'))];
  return formatColumns(['', 'Price', 'Amount', 'Orders'], rows, 'Nobody has placed an order in this market.');
}
