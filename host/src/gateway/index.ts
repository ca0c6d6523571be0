export * from './client.js';
export {
  GatewayBusyError,
  GatewayMalformedError,
  GatewayStatusError,
  GatewayUnreachableError,
} from './errors.js';
export type { GatewayOptions, RequestOptions } from './http.js';
export type { NodeAddress } from './node-hostname.js';
export * from './records/index.js';
export type { StoredTransaction } from './stored-transaction.js';
