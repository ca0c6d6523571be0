export type { Block, BlockHeader, BlockTransaction } from './block.js';
export type { GatewayNode, GatewayStatus } from './gateway-status.js';
export type { Balance, Token, TokenBalance } from './holdings.js';
export type { Movement } from './movement.js';
export type { BlockchainStatus, FeeEstimate, NodeInfo } from './node.js';
export type {
  BroadcastReceipt,
  ListedEscrow,
  ListedTransaction,
  TransactionContent,
  TransactionStatus,
} from './transaction.js';
