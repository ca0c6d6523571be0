export {
  AbortedError,
  cleanSymbol,
  cleanText,
  Decision,
  type ErrorCode,
  type ErrorDetails,
  type ErrorFacts,
  formatJson,
  parseJson,
  type ReviewItem,
  type Sent,
  TransactionType,
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
export { type Clock, SYSTEM_CLOCK } from './flow/clock.js';
export { confirmTransaction } from './flow/confirm.js';
export { formatDocument, parseDocument, parseSignedDocument } from './flow/document.js';
export type { ApprovalDraft, Draft, SendDraft, TokenDraft } from './flow/draft.js';
export { unknownTokenError } from './flow/errors.js';
export { awaitHeight } from './flow/height.js';
export type { PaymentEnd, PaymentJournal, PendingPayment, Reservation } from './flow/journal.js';
export { MemoryJournal } from './flow/memory-journal.js';
export type {
  ConfirmOptions,
  FlowEvent,
  FlowOptions,
  Limits,
  PrepareOptions,
  SignOptions,
  StepOptions,
  SubmitOptions,
  TransactionSigner,
} from './flow/options.js';
export { prepareTransaction } from './flow/prepare.js';
export type {
  Escrowed,
  PreparedTransaction,
  SignedTransaction,
  SubmittedTransaction,
  TransactionOutcome,
} from './flow/prepared.js';
export { type ResumedPayment, type ResumeOptions, resumePayments } from './flow/resume.js';
export { type Reader, retryRead } from './flow/retry.js';
export { safeAfter, sentOf } from './flow/sent.js';
export { signTransaction } from './flow/sign.js';
export type { Step } from './flow/step.js';
export { submitTransaction } from './flow/submit.js';
export { sendTransaction } from './flow.js';
export * from './gateway/index.js';
export { NETWORKS, type Network, networkName } from './networks.js';
export type { AppName, DevicePublicKey, SignerVersion } from './replies.js';
export { type SessionOptions, SignerSession, type WaitOptions } from './session/session.js';
export type { SessionEvent, SessionState } from './session/session-event.js';
export { Sessions } from './session/sessions.js';
export type { TransactionSignature } from './signed-transaction.js';
export { type CallOptions, type GetPublicKeyOptions, type SignedMessage, Signer } from './signer.js';
export { SoftwareSigner } from './software-signer.js';
export type { Cancellation, Transport } from './transport/transport.js';
export type { SignTransactionRequest, TokenDetails } from './upload-header.js';
