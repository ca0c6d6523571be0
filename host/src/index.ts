export * from './errors.js';
export type { AppName, DevicePublicKey, SignerVersion } from './replies.js';
export { type CallOptions, type SignedTransaction, Signer } from './signer.js';
export type { Cancellation, Transport } from './transport/transport.js';
export type { SignTransactionRequest, TokenDetails } from './upload-header.js';
