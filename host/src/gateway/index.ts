export * from './client.js';
export * from './errors.js';
export type { GatewayOptions, RequestOptions } from './http.js';
export { parseJson, writeJson } from './json.js';
export type {
  Balance,
  BlockchainStatus,
  BroadcastReceipt,
  FeeEstimate,
  NodeInfo,
  Token,
  TokenBalance,
  TransactionStatus,
} from './records.js';
export type { StoredTransaction } from './stored-transaction.js';
