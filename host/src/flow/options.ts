import type { ReviewItem, Transaction } from '@zbc-signer/chain';
import type { Clock } from '../clock.js';
import type { Signer } from '../device/signer.js';
import type { GatewayClient, Token } from '../gateway/index.js';
import type { PaymentJournal } from './journal/journal.js';
import type { SignedTransaction } from './prepared.js';

/**
 * Progress, in the order of the sequence. `retry` may come at any time; `direct` if the gateway omits the
 * signing rules. `submitting` comes before each broadcast, with the data that a program should keep by then.
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

/** Options of every step. */
export interface StepOptions {
  /** An abort rejects with AbortedError, or after the approval with SUBMISSION_INTERRUPTED. */
  signal?: AbortSignal | undefined;
  /** Exceptions that it throws are ignored. */
  onProgress?: ((event: FlowEvent) => void) | undefined;
  /** Default: the system's clock. */
  clock?: Clock | undefined;
}

/** Options of every step except signing. */
interface GatewayStepOptions extends StepOptions {
  gateway: GatewayClient;
  /**
   * Gateways of the same chain with other operators, so that no single gateway must be trusted. Default:
   * none.
   */
  otherGateways?: readonly GatewayClient[] | undefined;
  /**
   * Keeps payments until their outcome is known: none is lost, equal ones stay distinct, and nobody is paid
   * again while an earlier payment may still be accepted. Default: the memory of this program.
   */
  journal?: PaymentJournal | undefined;
}

/** Limits for a transaction, checked when it is prepared and again when it is signed. */
export interface Limits {
  /** 32 bytes; any other chain is `WRONG_CHAIN`. Default: any chain. */
  expectedGenesisHash?: Uint8Array | undefined;
  /** Atomic units; a higher fee is `FEE_TOO_HIGH`. Default: 0.1 coins, four times the chain's base fee. */
  maxFee?: bigint | undefined;
}

/** The option to pay a recipient again, for preparing and for sending the payment. */
interface AgainOptions {
  /**
   * True pays a recipient even while an earlier payment to it, being sent or unconfirmed, may still be
   * accepted; false rejects it with `UNSETTLED_PAYMENT`. Default: false.
   */
  paysAgain?: boolean | undefined;
}

/** Options of `prepareTransaction`. */
export interface PrepareOptions extends GatewayStepOptions, AgainOptions, Limits {
  /** The sender's public key, 32 bytes, such as from `Signer.getPublicKey`. */
  publicKey: Uint8Array;
  /** Index of the sender's account on its signer. Default: 0. */
  account?: number | undefined;
  /** False rejects an amount of 0 with `ZERO_AMOUNT`. Default: false. */
  allowsZeroAmount?: boolean | undefined;
}

/** A device, or another signer with the same methods. */
export type TransactionSigner = Pick<Signer, 'getPublicKey' | 'signTransaction'>;

/** Options of `signTransaction`. */
export interface SignOptions extends StepOptions, Limits {
  signer: TransactionSigner;
}

/** The time limit after the approval. */
interface DeadlineOptions {
  /**
   * Time for broadcasts, look-ups and waiting, from the approval or the start of the step. Default: 180,000.
   */
  confirmationTimeoutMs?: number | undefined;
}

/** Options of `submitTransaction`. */
export interface SubmitOptions extends GatewayStepOptions, AgainOptions, DeadlineOptions {
  /**
   * Whether to broadcast to the other gateways too, in case one withholds the transaction. Default: false.
   */
  broadcastsToAll?: boolean | undefined;
}

/** Options of `confirmTransaction`. */
export interface ConfirmOptions extends GatewayStepOptions, DeadlineOptions {
  /** False asks each gateway only once. Default: true. */
  waitsForConfirmation?: boolean | undefined;
  /** Number of gateways that must report a confirmation in the same block. Default: more than half. */
  quorum?: number | undefined;
  /** Longest pause between status requests. Default: 1000. */
  pollMs?: number | undefined;
}

/** Options of `sendTransaction`, which are those of all steps. */
export interface FlowOptions
  extends Omit<PrepareOptions, 'publicKey'>,
    SignOptions,
    SubmitOptions,
    ConfirmOptions {
  /** 32 bytes; a signer with any other key is `PUBLIC_KEY_MISMATCH`. Default: any key. */
  expectedPublicKey?: Uint8Array | undefined;
}
