import type { ReviewItem, Transaction } from '@zbc-signer/chain';
import type { Clock } from '../clock.js';
import type { ContactBook } from '../contacts/contact-book.js';
import type { AntiExfil, CheckedNonce, SigningOptions } from '../device/committed-signing.js';
import type { Signer } from '../device/signer.js';
import type { GatewayClient, Token } from '../gateway/index.js';
import type { PaymentJournal } from './journal/journal.js';
import type { SignedTransaction } from './prepared.js';

/**
 * Progress of a payment. The events are listed in the order in which they occur. `retry` may occur at any
 * time. `direct` occurs for each node that is asked because the gateway omits the signing rules. `submitting`
 * occurs before each broadcast, with the data that a program should have stored by then. Hashes are 32 bytes,
 * amounts are in atomic units.
 */
export type FlowEvent =
  | { step: 'direct'; node: string; answered: boolean; signingVersion: bigint | undefined }
  | { step: 'chain'; genesisHash: Uint8Array; height: bigint }
  | { step: 'account'; address: string; spendable: bigint }
  | { step: 'token'; token: Token; spendable: bigint }
  | { step: 'fee'; fee: bigint; minimumFee: bigint; highShare: number | undefined }
  | { step: 'review'; items: ReviewItem[]; transaction: Transaction }
  | { step: 'signed'; transactionHash: Uint8Array; antiExfil?: CheckedNonce | undefined }
  | { step: 'submitting'; signed: SignedTransaction }
  | { step: 'broadcast'; transactionHash: Uint8Array; duplicate: boolean }
  | { step: 'stage'; stage: string; blockHeight?: bigint | undefined }
  | { step: 'retry'; error: unknown; pauseMs: number };

/** Options of every step. */
export interface StepOptions {
  /** An abort rejects with AbortedError, or after the approval with SUBMISSION_INTERRUPTED. */
  signal?: AbortSignal | undefined;
  /** What it throws or rejects with is ignored. */
  onProgress?: ((event: FlowEvent) => unknown) | undefined;
  /** Default: the system's clock. */
  clock?: Clock | undefined;
}

/** Options of every step except signing. */
interface GatewayStepOptions extends StepOptions {
  gateway: GatewayClient;
  /**
   * Gateways of the same chain with other operators, so that the program need not trust a single gateway
   * (docs/WALLET.md#who-vouches-for-each-datum). At least one must answer before the review. Default: none.
   */
  otherGateways?: readonly GatewayClient[] | undefined;
  /**
   * Keeps payments until their outcome is known, so that no payment is lost. It gives equal payments
   * different timestamps. It prevents a second payment to a recipient while an earlier one may still be
   * accepted. Default: a journal in the memory of this program.
   */
  journal?: PaymentJournal | undefined;
}

/** Limits for a transaction. They are checked when it is prepared and when it is signed. */
export interface FlowLimits {
  /** 32 bytes; if the gateway serves another chain, the error is `WRONG_CHAIN`. Default: any chain. */
  expectedGenesisHash?: Uint8Array | undefined;
  /**
   * Atomic units; for a higher fee, the error is `FEE_TOO_HIGH`. Default: 0.1 coins, 4 times the base fee.
   */
  maxFee?: bigint | undefined;
  /**
   * True if the caller's nodes accept fees in tokens, which those of a development network refuse. False rejects
   * a transaction with `feeInToken: true` with `FEE_IN_TOKEN`. Default: false.
   */
  allowsFeeInToken?: boolean | undefined;
}

/** The option to pay a recipient again, for preparing and for sending the payment. */
interface AgainOptions {
  /**
   * True pays a recipient even while an earlier payment to the same recipient may still be accepted. False
   * rejects such a payment with `UNSETTLED_PAYMENT`. Default: false.
   */
  paysAgain?: boolean | undefined;
}

/** Options of `prepareTransaction`. */
export interface PrepareOptions extends GatewayStepOptions, AgainOptions, FlowLimits {
  /** The sender's public key, 32 bytes, such as from `Signer.getPublicKey`. */
  publicKey: Uint8Array;
  /** Index of the sender's account on its signer. Default: 0. */
  account?: number | undefined;
  /** Names for the recipient and the approver, which the device shows with their accounts. Default: none. */
  contacts?: Pick<ContactBook, 'find'> | undefined;
  /** False rejects an amount of 0 with `ZERO_AMOUNT`. Default: false. */
  allowsZeroAmount?: boolean | undefined;
}

/** A device, or another signer with the same methods. */
export type TransactionSigner = Pick<Signer, 'getPublicKey' | 'signTransaction'>;

/** Options of `signTransaction`. */
export interface SignOptions
  extends StepOptions,
    FlowLimits,
    Pick<SigningOptions, 'record' | 'allowsWithheld'> {
  signer: TransactionSigner;
  /** Default: `prefer`. */
  antiExfil?: AntiExfil | undefined;
}

/** The time limit after the approval. */
interface DeadlineOptions {
  /**
   * Time for broadcasts, look-ups and waiting, in milliseconds. It begins at the approval or, if the step is
   * called alone, at its start. Default: 180,000.
   */
  confirmationTimeoutMs?: number | undefined;
}

/** Options of `submitTransaction`. */
export interface SubmitOptions extends GatewayStepOptions, AgainOptions, DeadlineOptions {
  /**
   * Whether to broadcast to the other gateways too, in case the first withholds the transaction. Default:
   * false.
   */
  broadcastsToAll?: boolean | undefined;
}

/** Options of `confirmTransaction`. */
export interface ConfirmOptions extends GatewayStepOptions, DeadlineOptions {
  /** False asks each gateway only once. Default: true. */
  waitsForConfirmation?: boolean | undefined;
  /** Number of gateways that must report a confirmation in the same block. Default: more than half. */
  quorum?: number | undefined;
  /** Longest pause between status requests, in milliseconds. Default: 1000. */
  pollMs?: number | undefined;
}

/** Options of `sendTransaction`, which are those of all steps. */
export interface FlowOptions
  extends Omit<PrepareOptions, 'publicKey'>,
    SignOptions,
    SubmitOptions,
    ConfirmOptions {
  /** 32 bytes; if the signer has another key, the error is `PUBLIC_KEY_MISMATCH`. Default: any key. */
  expectedPublicKey?: Uint8Array | undefined;
}
