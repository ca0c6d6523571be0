export {
  AbortedError,
  cleanSymbol,
  cleanText,
  Decision,
  type ErrorCode,
  type ErrorDetails,
  type ErrorFacts,
  formatJson,
  formatTime,
  parseJson,
  type ReviewItem,
  type Sent,
  type TokenDetails,
  TransactionType,
  ZbcSignerError,
} from '@zbc-signer/chain';
export { eitherSignal } from './cancellation.js';
export { type Clock, SYSTEM_CLOCK } from './clock.js';
export {
  expectedReview,
  formatText,
  type ReviewSubject,
} from './device/expected-review.js';
export type { AppName, DevicePublicKey, SignerVersion } from './device/replies.js';
export { type SessionOptions, SignerSession, type WaitOptions } from './device/session/session.js';
export type { SessionEvent, SessionState } from './device/session/session-event.js';
export { Sessions } from './device/session/sessions.js';
export type { TransactionSignature } from './device/signed-transaction.js';
export { type CallOptions, type GetPublicKeyOptions, type SignedMessage, Signer } from './device/signer.js';
export { SoftwareSigner } from './device/software-signer.js';
export type { Cancellation, Transport } from './device/transport/transport.js';
export type { SignTransactionRequest } from './device/upload-header.js';
export {
  DeviceError,
  DeviceRefusedError,
  GatewayError,
  TransportError,
  type TransportErrorCode,
} from './errors.js';
export { awaitHeight } from './flow/chain/height.js';
export { type Reader, retryRead } from './flow/chain/retry.js';
export { confirmTransaction } from './flow/confirm.js';
export { formatDocument, parseDocument, parseSignedDocument } from './flow/document.js';
export type { ApprovalDraft, Draft, SendDraft, TokenDraft } from './flow/draft/draft.js';
export { journalDamagedError, journalError, unknownTokenError, unsentJournalError } from './flow/errors.js';
export type { FlowStep } from './flow/flow-step.js';
export {
  findUnsettled,
  isSettled,
  keptSent,
  type PaymentEnd,
  type PaymentJournal,
  type PendingPayment,
  paymentKey,
  type Reservation,
  sentAfter,
} from './flow/journal/journal.js';
export { MemoryJournal } from './flow/journal/memory-journal.js';
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
export { sendTransaction, submitAndConfirm } from './flow/send.js';
export { safeAfter, sentOf } from './flow/sent.js';
export { signTransaction } from './flow/sign.js';
export { submitTransaction } from './flow/submit.js';
export * from './gateway/index.js';
export { NETWORKS, type Network, networkName } from './networks.js';
