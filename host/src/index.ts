export {
  AbortedError,
  anySignal,
  type BroadcastState,
  cleanSymbol,
  cleanText,
  type ErrorDetails,
  type ErrorFacts,
  EscrowDecision,
  formatJson,
  formatTime,
  parseJson,
  type ReviewItem,
  type TokenDetails,
  TransactionType,
  ZbcSignerError,
} from '@zbc-signer/chain';
export { type Clock, SYSTEM_CLOCK } from './clock.js';
export {
  ContactBook,
  type ContactScope,
  type ImportedContacts,
  loadContacts,
} from './contacts/contact-book.js';
export {
  contactsError,
  formatContacts,
  MAX_CONTACTS_LENGTH,
  parseContacts,
} from './contacts/contact-document.js';
export {
  MAX_EVIDENCE_LENGTH,
  NonceError,
  type NonceFault,
  type NonceVerdict,
  verifyNonceEvidence,
} from './device/committed-nonce.js';
export type { AntiExfil, CheckedNonce, SigningOptions } from './device/committed-signing.js';
export {
  type Contact,
  checkContactName,
  isContactName,
  type NewContact,
  type TransactionContacts,
} from './device/contact.js';
export {
  expectedReview,
  formatText,
  type ReviewSubject,
} from './device/expected-review.js';
export type { AppName, DevicePublicKey, SignerVersion } from './device/replies.js';
export { contactReview } from './device/session/review-of.js';
export { type SessionOptions, SignerSession, type WaitOptions } from './device/session/session.js';
export type { SessionEvent, SessionState } from './device/session/session-event.js';
export { Sessions } from './device/session/sessions.js';
export type { TransactionSignature } from './device/signed-transaction.js';
export { type CallOptions, type GetPublicKeyOptions, type SignedMessage, Signer } from './device/signer.js';
export { type KeyRecord, SigningRecord } from './device/signing-record.js';
export type { CancelSignal, Transport } from './device/transport/transport.js';
export type { SignTransactionRequest } from './device/upload-header.js';
export {
  DeviceError,
  DeviceRefusedError,
  type ErrorCode,
  GatewayError,
  TransportError,
  type TransportErrorCode,
} from './errors.js';
export { awaitHeight } from './flow/chain/height.js';
export { type RetryingReader, retryRead } from './flow/chain/retry.js';
export type { Dissent, WitnessOptions } from './flow/chain/witnesses.js';
export { confirmTransaction } from './flow/confirm.js';
export { formatDocument, parseDocument, parseSignedDocument } from './flow/document.js';
export type { ApprovalDraft, Draft, SendDraft, TokenDraft } from './flow/draft/draft.js';
export { journalError, unknownTokenError } from './flow/errors.js';
export { estimateFee } from './flow/estimate.js';
export type { FlowStep } from './flow/flow-step.js';
export type { PaymentEnd, PaymentJournal, PendingPayment, Reservation } from './flow/journal/journal.js';
export { MemoryJournal } from './flow/journal/memory-journal.js';
export type {
  ConfirmOptions,
  FlowEvent,
  FlowLimits,
  FlowOptions,
  PrepareOptions,
  SignOptions,
  StepOptions,
  SubmitOptions,
  TransactionSigner,
} from './flow/options.js';
export { type Payout, type PayoutOptions, type PayoutResult, payOut } from './flow/payouts.js';
export { prepareTransaction } from './flow/prepare.js';
export type {
  EscrowedPayment,
  PreparedTransaction,
  SignedTransaction,
  SubmittedTransaction,
  TransactionOutcome,
} from './flow/prepared.js';
export { type ResumedPayment, type ResumeOptions, resumePayments } from './flow/resume.js';
export { sendTransaction, submitAndConfirm } from './flow/send.js';
export { broadcastStateOf, safeAfter } from './flow/sent.js';
export { signTransaction } from './flow/sign.js';
export { submitTransaction } from './flow/submit.js';
export * from './gateway/index.js';
export {
  type AccountMovement,
  accountMovements,
  type GatewayLists,
  isDetermined,
  listsAllRewards,
  type MovementStatus,
} from './history/account-movements.js';
export {
  type Activity,
  type BlockSpan,
  type EscrowEnding,
  type EscrowOutcome,
  extendSpan,
  findOpenings,
  type GrowOptions,
  growSpan,
  UnlinkedBlocksError,
} from './history/block-span.js';
export { formatCsv, formatUtc } from './history/csv.js';
export { type HistoryOptions, type HistoryPage, type HistoryPosition, history } from './history/history.js';
export { type AccountEvent, type WatchOptions, watchAccount } from './history/watch.js';
export { NETWORKS, type Network, networkName } from './networks.js';
export type { TextStore } from './text-store.js';
