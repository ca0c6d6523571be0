import type { Depth, Market, OrderBook } from '@zbc-signer/host/explorer';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { UnknownMarketError } from '../../errors/errors.js';
import { parseId } from '../../input/values.js';
import { formatColumns } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';
import { Units } from '../../transaction/units.js';

export const command = defineCommand({
  arguments: {
    market: {
      demandOption: true,
      describe: 'market id, as listed by `markets`',
    },
  },
  options: { ...GATEWAY_OPTIONS },
  examples: [['$0 orderbook -5283193210384519936', 'ids can be negative']],

  async run(options, terminal) {
    const marketId = parseId('market', options.market);
    const gateway = openGateway(options);
    const reader = createReader(terminal);
    const book = await retryRead(reader, request => gateway.orderBook(marketId, request));
    if (book === undefined) throw new UnknownMarketError(marketId);
    const markets = await retryRead(reader, request => gateway.markets(request));
    const market = markets.find(({ id }) => id === marketId);
    const ids = market === undefined ? [] : [market.baseTokenId, market.quoteTokenId];
    const units = await Units.read(gateway, reader, ids);
    return { json: bookJson(book), text: describeBook(book, market, units) };
  },
});

function bookJson({ marketId, bids, asks }: OrderBook): Record<string, unknown> {
  return { market_id: `${marketId}`, bids: bids.map(depthJson), asks: asks.map(depthJson) };
}

function depthJson({ price, amount, orders }: Depth): Record<string, unknown> {
  return { price, amount, ...(orders !== undefined && { orders }) };
}

/** Prints asks above bids, so that the best ask and the best bid are adjacent. */
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
  return formatColumns(['', 'Price', 'Amount', 'Orders'], rows, 'This market has no orders.');
}
