export { GatewayAdmin } from './admin.js';
export { InstructionEncodingError } from './broadcast.js';
export * from './client.js';
export * from './errors.js';
export type { GatewayOptions, RequestOptions } from './http.js';
export type { NodeAddress } from './node-hostname.js';
export * from './records/index.js';
export type { StoredTransaction } from './stored-transaction.js';
