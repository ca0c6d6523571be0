export {
  AbortedError,
  cleanSymbol,
  cleanText,
  type ErrorCode,
  type ErrorDetails,
  type ErrorFacts,
  formatJson,
  parseJson,
  type ReviewItem,
  ZbcSignerError,
} from '@zbc-signer/chain';
export {
  DeviceError,
  DeviceRefusedError,
  GatewayError,
  TransportError,
  type TransportErrorCode,
} from './errors.js';
export {
  expectedReview,
  formatText,
  formatTime,
  type ReviewSubject,
} from './expected-review.js';
export { SYSTEM_CLOCK } from './flow/clock.js';
export type { ApprovalDraft, Draft, SendDraft, TokenDraft } from './flow/draft.js';
export { type Sent, unknownTokenError } from './flow/errors.js';
export { awaitHeight } from './flow/height.js';
export { type Reader, retryRead } from './flow/retry.js';
export type { FlowEvent, FlowOptions, TransactionSigner } from './flow/run.js';
export { SentTransactions } from './flow/sent-transactions.js';
export { type FlowResult, sendTransaction } from './flow.js';
export * from './gateway/index.js';
export { NETWORKS, type Network, networkName } from './networks.js';
export type { AppName, DevicePublicKey, SignerVersion } from './replies.js';
export type { SignedTransaction } from './signed-transaction.js';
export { type CallOptions, type GetPublicKeyOptions, type SignedMessage, Signer } from './signer.js';
export { SoftwareSigner } from './software-signer.js';
export type { Cancellation, Transport } from './transport/transport.js';
export type { SignTransactionRequest, TokenDetails } from './upload-header.js';
