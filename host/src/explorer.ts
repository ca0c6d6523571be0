export { GatewayAdmin } from './gateway/admin.js';
export { ExplorerClient } from './gateway/explorer-client.js';
export type { RelayInfo, SystemStats } from './gateway/records/gateway.js';
export type { AllowlistEntry } from './gateway/records/gateway-status.js';
export type { Depth, Market, Offer, OrderBook, TokenAmount } from './gateway/records/market.js';
export { REGISTRY_KINDS, type RegistryEntry, type RegistryKind } from './gateway/records/registry.js';
export type { Release, ReleaseFile, Verification } from './gateway/records/release.js';
