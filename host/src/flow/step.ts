import type { ReviewItem, Transaction } from '@zbc-signer/chain';
import type { GatewayClient, Token } from '../gateway/index.js';
import { type Clock, SYSTEM_CLOCK } from './clock.js';
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
  | { step: 'fee'; fee: bigint; minimumFee: bigint }
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

/** StepOptions with defaults applied. */
export interface Step {
  /** For every request, to the gateway and to the signer. */
  request: { signal?: AbortSignal };
  /** Calls `onProgress`. */
  report: (event: FlowEvent) => void;
  clock: Clock;
}

/** A step that asks a gateway. */
export interface GatewayStep extends Step {
  gateway: GatewayClient;
}

/** The options are those of `readOptions`. */
export function startStep({ signal, onProgress, clock = SYSTEM_CLOCK }: StepOptions): Step {
  return {
    request: signal === undefined ? {} : { signal },
    report: event => reportTo(onProgress, event),
    clock,
  };
}

/** An exception in a callback must not fail a payment. */
function reportTo(onProgress: StepOptions['onProgress'], event: FlowEvent): void {
  try {
    onProgress?.(event);
  } catch {}
}
