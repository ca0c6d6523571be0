import type { Market } from '../../gateway/index.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatColumns } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';
import { Units } from '../units.js';

interface MarketOptions {
  api?: string | undefined;
}

export async function showMarkets(options: MarketOptions, terminal: Terminal): Promise<Outcome> {
  const gateway = openGateway(options);
  const reader = createReader(terminal);
  const markets = await retryRead(reader, request => gateway.markets(request));
  const ids = markets.flatMap(({ baseTokenId, quoteTokenId }) => [baseTokenId, quoteTokenId]);
  const units = await Units.read(gateway, reader, ids);
  return { json: { markets: markets.map(marketJson) }, text: listMarkets(markets, units) };
}

function marketJson(market: Market): Record<string, unknown> {
  const { id, baseTokenId, quoteTokenId, status, openedHeight, lastPrice, volume24h } = market;
  return {
    market_id: id,
    base_token_id: baseTokenId,
    quote_token_id: quoteTokenId,
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
    volume24h === undefined ? 'not told' : units.scale(baseTokenId, volume24h),
  ]);
  return formatColumns(['Market', 'Of', 'Last price', 'Volume of 24 h'], rows, 'No market is open.');
}
