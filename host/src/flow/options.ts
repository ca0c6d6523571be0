import type { ReviewItem, Transaction } from '@zbc-signer/chain';
import type { Clock } from '../clock.js';
import type { Signer } from '../device/signer.js';
import type { GatewayClient, Token } from '../gateway/index.js';
import type { PaymentJournal } from './journal/journal.js';
import type { SignedTransaction } from './prepared.js';

/**
 * Progress, in the order of the sequence. `retry` may come at any time; `direct` if the gateway omits the
 * signing rules. `submitting` comes before each broadcast, with what a program should keep by then.
 * Hashes are 32 bytes, amounts atomic units.
 */
export type FlowEvent =
  | { step: 'direct'; node: string; answered: boolean; signingVersion: bigint | undefined }
  | { step: 'chain'; genesisHash: Uint8Array; height: bigint }
  | { step: 'account'; address: string; spendable: bigint }
  | { step: 'token'; token: Token; spendable: bigint }
  | { step: 'fee'; fee: bigint; minimumFee: bigint; highShare: number | undefined }
  | { step: 'review'; items: ReviewItem[]; transaction: Transaction }
  | { step: 'signed'; transactionHash: Uint8Array }
  | { step: 'submitting'; signed: SignedTransaction }
  | { step: 'broadcast'; transactionHash: Uint8Array; duplicate: boolean }
  | { step: 'stage'; stage: string; blockHeight?: bigint | undefined }
  | { step: 'retry'; error: unknown; pauseMs: number };

/** What every step takes. */
export interface StepOptions {
  /** An abort rejects with AbortedError, or after the approval with SUBMISSION_INTERRUPTED. */
  signal?: AbortSignal | undefined;
  /** What it throws is ignored. */
  onProgress?: ((event: FlowEvent) => void) | undefined;
  /** Default: the system's. */
  clock?: Clock | undefined;
}

/** What every step but signing takes. */
interface GatewayStepOptions extends StepOptions {
  gateway: GatewayClient;
  /** Of the same chain and run by others, so that no gateway has to be believed alone. Default: none. */
  otherGateways?: readonly GatewayClient[] | undefined;
  /**
   * Where payments are kept until the chain has decided, to lose none, to keep equal ones distinct, and to pay
   * nobody again while an earlier payment may still be accepted. Default: the memory of this program.
   */
  journal?: PaymentJournal | undefined;
}

/** What limits a transaction, when it is prepared and again when it is signed. */
export interface Limits {
  /** 32 bytes; any other chain is `WRONG_CHAIN`. Default: any chain. */
  expectedGenesisHash?: Uint8Array | undefined;
  /** Atomic units; a higher fee is `FEE_TOO_HIGH`. Default: 0.1 coins, four times the chain's base fee. */
  maxFee?: bigint | undefined;
}

/** What a program says that pays a recipient again: when it prepares the payment, and when it sends it. */
interface AgainOptions {
  /**
   * True to pay a recipient while an earlier payment to it, which is being sent or of which no confirmation
   * was seen, may still be accepted; else that is `UNSETTLED_PAYMENT`. Default: false.
   */
  paysAgain?: boolean | undefined;
}

/** How to prepare a transaction. */
export interface PrepareOptions extends GatewayStepOptions, AgainOptions, Limits {
  /** 32 bytes: the sender's, as `Signer.getPublicKey` gives it. */
  publicKey: Uint8Array;
  /** Index of the sender's account on its signer. Default: 0. */
  account?: number | undefined;
  /** False for `ZERO_AMOUNT` where the amount is 0. Default: false. */
  allowsZeroAmount?: boolean | undefined;
}

/** A device, or anything that signs like one. */
export type TransactionSigner = Pick<Signer, 'getPublicKey' | 'signTransaction'>;

/** How to sign a prepared transaction. */
export interface SignOptions extends StepOptions, Limits {
  signer: TransactionSigner;
}

/** How long the chain may take for what was approved. */
interface DeadlineOptions {
  /** From the approval on, or the start of the step: broadcasts, look-ups and waiting. Default: 180,000. */
  confirmationTimeoutMs?: number | undefined;
}

/** How to submit a signed transaction. */
export interface SubmitOptions extends GatewayStepOptions, AgainOptions, DeadlineOptions {
  /** Broadcast to the other gateways as well: one that keeps it for itself gains nothing. Default: false. */
  broadcastsToAll?: boolean | undefined;
}

/** How to wait for a confirmation. */
export interface ConfirmOptions extends GatewayStepOptions, DeadlineOptions {
  /** False to ask each gateway once only. Default: true. */
  waitsForConfirmation?: boolean | undefined;
  /** Of all gateways, how many must confirm it in the same block. Default: more than half. */
  quorum?: number | undefined;
  /** Longest pause between status requests. Default: 1000. */
  pollMs?: number | undefined;
}

/** How to send a transaction: the options of all steps. */
export interface FlowOptions
  extends Omit<PrepareOptions, 'publicKey'>,
    SignOptions,
    SubmitOptions,
    ConfirmOptions {
  /** 32 bytes; a signer with any other key is `PUBLIC_KEY_MISMATCH`. Default: any key. */
  expectedPublicKey?: Uint8Array | undefined;
}
