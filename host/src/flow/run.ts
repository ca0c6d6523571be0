import { COIN_DECIMALS, type ReviewItem, type Transaction } from '@zbc-signer/chain';
import type { GatewayClient, Token } from '../gateway/index.js';
import type { Signer } from '../signer.js';
import { type Clock, SYSTEM_CLOCK } from './clock.js';
import { SentTransactions } from './sent-transactions.js';

/** A device, or anything that signs like one. */
export type TransactionSigner = Pick<Signer, 'getPublicKey' | 'signTransaction'>;

/**
 * Progress, in the order of the sequence. `retry` may come at any time; `direct` if the gateway omits the
 * signing rules.
 */
export type FlowEvent =
  | { step: 'direct'; node: string; answered: boolean; signingVersion: bigint | undefined }
  | { step: 'chain'; genesisHash: string; height: bigint }
  | { step: 'account'; address: string; spendable: bigint }
  | { step: 'token'; token: Token; spendable: bigint }
  | { step: 'fee'; fee: bigint; minimumFee: bigint }
  | { step: 'review'; items: ReviewItem[]; transaction: Transaction }
  | { step: 'signed'; transactionHash: string }
  | { step: 'broadcast'; transactionHash: string; duplicate: boolean }
  | { step: 'stage'; stage: string; blockHeight?: bigint | undefined }
  | { step: 'retry'; error: unknown; pauseMs: number };

export interface FlowOptions {
  gateway: GatewayClient;
  signer: TransactionSigner;
  /** Index of the signing account. */
  account: number;
  /** 32 bytes; any other chain is a `WRONG_CHAIN`. */
  expectedGenesisHash?: Uint8Array | undefined;
  /** 32 bytes; a device with any other key is a `PUBLIC_KEY_MISMATCH`. */
  expectedPublicKey?: Uint8Array | undefined;
  /** Atomic units; a higher fee, given or estimated, is a `FEE_TOO_HIGH`. Default: 1 coin. */
  maxFee?: bigint | undefined;
  /** False to throw `ZERO_AMOUNT` for an amount of 0. Default: false. */
  allowsZeroAmount?: boolean | undefined;
  /** Sent transactions, to keep equal payments distinct. Default: one record for the whole program. */
  sent?: SentTransactions | undefined;
  /** False to return once the broadcast is accepted. Default: true. */
  waitsForConfirmation?: boolean;
  /** Default: 180,000. */
  confirmationTimeoutMs?: number;
  /** Between status requests. Default: 1000. */
  pollMs?: number;
  signal?: AbortSignal;
  onProgress?: (event: FlowEvent) => void;
  clock?: Clock;
}

/** The options with defaults applied. */
export interface Run {
  gateway: GatewayClient;
  signer: TransactionSigner;
  account: number;
  expectedGenesisHash: Uint8Array | undefined;
  expectedPublicKey: Uint8Array | undefined;
  maxFee: bigint;
  allowsZeroAmount: boolean;
  sent: SentTransactions;
  waitsForConfirmation: boolean;
  confirmationTimeoutMs: number;
  pollMs: number;
  /** For every request, to the gateway and to the signer. */
  request: { signal?: AbortSignal };
  report: (event: FlowEvent) => void;
  clock: Clock;
}

const CONFIRMATION_TIMEOUT_MS = 180_000;
const POLL_MS = 1000;
/** 1 coin. */
const MAX_FEE = 10n ** BigInt(COIN_DECIMALS);
const SENT_BY_PROCESS = new SentTransactions();

export function startRun({ signal, onProgress, ...options }: FlowOptions): Run {
  return {
    gateway: options.gateway,
    signer: options.signer,
    account: options.account,
    expectedGenesisHash: options.expectedGenesisHash,
    expectedPublicKey: options.expectedPublicKey,
    maxFee: options.maxFee ?? MAX_FEE,
    allowsZeroAmount: options.allowsZeroAmount ?? false,
    sent: options.sent ?? SENT_BY_PROCESS,
    waitsForConfirmation: options.waitsForConfirmation ?? true,
    confirmationTimeoutMs: options.confirmationTimeoutMs ?? CONFIRMATION_TIMEOUT_MS,
    pollMs: options.pollMs ?? POLL_MS,
    request: signal === undefined ? {} : { signal },
    report: event => reportTo(onProgress, event),
    clock: options.clock ?? SYSTEM_CLOCK,
  };
}

/** An exception in a callback must not fail a payment. */
function reportTo(onProgress: FlowOptions['onProgress'], event: FlowEvent): void {
  try {
    onProgress?.(event);
  } catch {}
}
