export type { Block, BlockHeader } from './block.js';
export type { AllowlistEntry, GatewayNode, GatewayStatus, RelayInfo, SystemStats } from './gateway.js';
export type { Balance, Token, TokenBalance } from './holdings.js';
export type { Depth, Market, Offer, OrderBook, TokenAmount } from './market.js';
export type { Movement } from './movement.js';
export type { BlockchainStatus, FeeEstimate, NodeInfo } from './node.js';
export { REGISTRY_KINDS, type RegistryEntry, type RegistryKind } from './registry.js';
export type { Release, ReleaseFile, Verification } from './release.js';
export type {
  BroadcastReceipt,
  ListedTransaction,
  TransactionContent,
  TransactionStatus,
} from './transaction.js';
