import type { Transaction } from '../../../chain/src/index.js';
import type { ReviewItem } from '../expected-review.js';
import type { GatewayClient, Token } from '../gateway/index.js';
import type { Signer } from '../signer.js';
import { type Clock, SYSTEM_CLOCK } from './clock.js';

/** A device, or anything else that signs as one does. */
export type TransactionSigner = Pick<Signer, 'getPublicKey' | 'signTransaction'>;

/** What is happening, in the order of the sequence; `retry` may come at any time, `direct` when the gateway hides how its nodes sign. */
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
  /** When given, any other chain is a WrongChainError. */
  expectedGenesisHash?: Uint8Array | undefined;
  /** False to return when the broadcast is accepted. */
  waitsForConfirmation?: boolean;
  confirmationTimeoutMs?: number;
  pollMs?: number;
  signal?: AbortSignal;
  onProgress?: (event: FlowEvent) => void;
  clock?: Clock;
}

/** The options with what was left out. */
export interface Run {
  gateway: GatewayClient;
  signer: TransactionSigner;
  account: number;
  expectedGenesisHash: Uint8Array | undefined;
  waitsForConfirmation: boolean;
  confirmationTimeoutMs: number;
  pollMs: number;
  /** Goes along with every request, to the gateway and to the signer. */
  request: { signal?: AbortSignal };
  report: (event: FlowEvent) => void;
  clock: Clock;
}

const CONFIRMATION_TIMEOUT_MS = 180_000;
const POLL_MS = 1000;

export function startRun({ signal, onProgress, ...options }: FlowOptions): Run {
  return {
    gateway: options.gateway,
    signer: options.signer,
    account: options.account,
    expectedGenesisHash: options.expectedGenesisHash,
    waitsForConfirmation: options.waitsForConfirmation ?? true,
    confirmationTimeoutMs: options.confirmationTimeoutMs ?? CONFIRMATION_TIMEOUT_MS,
    pollMs: options.pollMs ?? POLL_MS,
    request: signal === undefined ? {} : { signal },
    report: onProgress ?? (() => undefined),
    clock: options.clock ?? SYSTEM_CLOCK,
  };
}
