import type { Market } from '@zbc-signer/host/explorer';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { formatColumns } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';
import { Units } from '../../transaction/units.js';

export const command = defineCommand({
  options: { ...GATEWAY_OPTIONS },
  examples: [['$0 markets --json', 'ids for the orderbook command, prices in atomic units']],

  async run(options, terminal) {
    const gateway = openGateway(options);
    const reader = createReader(terminal);
    const markets = await retryRead(reader, request => gateway.markets(request));
    const ids = markets.flatMap(({ baseTokenId, quoteTokenId }) => [baseTokenId, quoteTokenId]);
    const units = await Units.read(gateway, reader, ids);
    return { json: { markets: markets.map(marketJson) }, text: listMarkets(markets, units) };
  },
});

function marketJson(market: Market): Record<string, unknown> {
  const { id, baseTokenId, quoteTokenId, status, openedHeight, lastPrice, volume24h } = market;
  return {
    market_id: `${id}`,
    base_token_id: `${baseTokenId}`,
    quote_token_id: `${quoteTokenId}`,
    ...(status !== undefined && { status }),
    ...(openedHeight !== undefined && { opened_height: openedHeight }),
    ...(lastPrice !== undefined && { last_price: lastPrice }),
    ...(volume24h !== undefined && { volume_24h: volume24h }),
  };
}

function listMarkets(markets: readonly Market[], units: Units): string {
  const rows = markets.map(({ id, baseTokenId, quoteTokenId, lastPrice, volume24h }) => [
    `${id}`,
    units.name(baseTokenId),
    lastPrice === undefined ? 'none' : units.format(quoteTokenId, lastPrice),
    volume24h === undefined ? 'not reported' : units.scale(baseTokenId, volume24h),
  ]);
  return formatColumns(['Market', 'Base', 'Last price', 'Volume, 24 h'], rows, 'No open markets.');
}
