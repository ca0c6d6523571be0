import { readList } from './answer.js';
import { GatewayClient } from './client.js';
import type { RequestOptions } from './http.js';
import { type Block, readBlock } from './records/block.js';
import { type RelayInfo, readRelayInfo, readSystemStats, type SystemStats } from './records/gateway.js';
import {
  type Market,
  type Offer,
  type OrderBook,
  readMarket,
  readOffers,
  readOrderBook,
} from './records/market.js';
import { type RegistryEntry, type RegistryKind, readRegistry } from './records/registry.js';
import { type Release, readReleases } from './records/release.js';

/**
 * A GatewayClient with the other routes: single blocks, markets, releases, registries and the gateway itself.
 */
export class ExplorerClient extends GatewayClient {
  /**
   * The unvalidated JSON of any GET route, such as `/api/v1/node/info`, with integers as bigint; undefined for a
   * record that does not exist.
   */
  async get(route: string, options?: RequestOptions): Promise<unknown> {
    return this.http.find(route, options, 'large');
  }

  /** A block, by default the newest one; undefined if the chain has no such block. */
  async block(height?: bigint, options?: RequestOptions): Promise<Block | undefined> {
    const answer = await this.find(`/api/v1/blocks/${height ?? 'latest'}`, options, 'large');
    return answer && readBlock(height === undefined ? answer : answer.repeating('height', 'amount', height));
  }

  /** Every market of the chain. */
  async markets(options?: RequestOptions): Promise<Market[]> {
    const route = '/api/v1/exchange/markets';
    return readList(route, await this.http.get(route, options, 'large'), 'markets').map(readMarket);
  }

  /** The order book; undefined if the chain does not know the market. */
  async orderBook(marketId: bigint, options?: RequestOptions): Promise<OrderBook | undefined> {
    const answer = await this.find(`/api/v1/exchange/orderbook?market=${marketId}`, options, 'large');
    return answer && readOrderBook(answer.repeating('market_id', 'integer', marketId), marketId);
  }

  /** Every open offer. */
  async offers(options?: RequestOptions): Promise<Offer[]> {
    const route = '/api/v1/exchange/offers';
    return readOffers(route, await this.http.get(route, options, 'large'));
  }

  /** The published software releases, newest first. */
  async releases(options?: RequestOptions): Promise<Release[]> {
    const route = '/api/v1/release/list';
    return readReleases(route, await this.http.get(route, options, 'large'));
  }

  /** The registered nodes, gateways, relays or archival nodes. */
  async registry(kind: RegistryKind, options?: RequestOptions): Promise<RegistryEntry[]> {
    const route = `/api/v1/registry/${kind}`;
    return readRegistry(route, await this.http.get(route, options, 'large'), kind);
  }

  /** CPU, memory, disk and uptime of the gateway's machine. */
  async systemStats(options?: RequestOptions): Promise<SystemStats> {
    return readSystemStats(await this.read('/gateway/system-stats', options));
  }

  /** The relay; undefined if the gateway has none. */
  async relayInfo(options?: RequestOptions): Promise<RelayInfo | undefined> {
    const answer = await this.find('/relay/info', options);
    return answer && readRelayInfo(answer);
  }
}
