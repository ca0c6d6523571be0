import type {
  BroadcastState,
  FlowEvent,
  ListedTransaction,
  PendingPayment,
  ResumedPayment,
  SessionState,
  SignerSession,
  SignerVersion,
  TransactionOutcome,
} from '@zbc-signer/host';

/** The state of the device: `none` until one is connected, otherwise a state of the host's session. */
export type SignerView = ({ state: 'none' } | Exclude<SessionState, { state: 'closed' }>) & {
  /** The error of the last attempt to connect, or of the state `lost`. */
  error?: unknown;
  /** The connected device, for calls without a hook. */
  signer?: SignerSession | undefined;
  /** The last version that the connected device has reported. */
  version?: SignerVersion | undefined;
};

/** The state of the payment. */
export type SendView =
  | { state: 'idle' }
  /** The payment is being prepared, reviewed or sent; `event` is the latest progress event. */
  | { state: 'sending'; event?: FlowEvent | undefined }
  /** The payment was sent; `outcome` is the result of `sendTransaction`. */
  | { state: 'sent'; outcome: TransactionOutcome }
  /** The payment failed with `error`; `sent` is whether the chain may have the payment. */
  | { state: 'error'; error: unknown; sent: BroadcastState };

/** The payments of the journal and the transactions of the gateway; empty until the first answer. */
export interface ActivityView {
  /** The payments that were signed and are not settled. */
  unsettled: readonly PendingPayment[];
  /** The outcomes that the last `resume` found. */
  resumed: readonly ResumedPayment[];
  isResuming: boolean;
  /** The newest transactions of the chain. */
  transactions: readonly ListedTransaction[];
  /** The error of the last attempt to read the journal; undefined after a success. */
  journalError?: unknown;
  /** The error of the last attempt to read the gateway's list; undefined after a success. */
  gatewayError?: unknown;
}

/** Everything that the hooks return. A part that has not changed stays the same object. */
export interface Views {
  signer: SignerView;
  sending: SendView;
  activity: ActivityView;
}

/** The values on a server, and in a browser until the first change. */
export const INITIAL: Views = {
  signer: { state: 'none' },
  sending: { state: 'idle' },
  activity: { unsettled: [], resumed: [], isResuming: false, transactions: [] },
};
