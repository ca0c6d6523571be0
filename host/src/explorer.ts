export { ExplorerClient } from './gateway/explorer-client.js';
export type { RelayInfo, SystemStats } from './gateway/records/gateway.js';
export type { Depth, Market, Offer, OrderBook, TokenAmount } from './gateway/records/market.js';
export type { RegistryEntry, RegistryKind } from './gateway/records/registry.js';
export type { Release, ReleaseFile } from './gateway/records/release.js';
