import { type Clock, elapsedMs, SYSTEM_CLOCK } from '../clock.js';
import type { GatewayClient, RequestOptions } from '../gateway/index.js';
import type { FlowEvent, StepOptions, SubmitOptions } from './options.js';

const CONFIRMATION_TIMEOUT_MS = 180_000;

/** StepOptions with defaults applied. */
export interface Step {
  /** For every request, to the gateway and to the signer. */
  request: { signal?: AbortSignal | undefined };
  /** Calls `onProgress`. */
  report: (event: FlowEvent) => void;
  clock: Clock;
}

/** A step that asks a gateway. */
export interface GatewayStep extends Step {
  gateway: GatewayClient;
  otherGateways: readonly GatewayClient[];
  /** By the clock of the step: no request goes on after it. */
  deadlineMs: number;
}

/** What preparing takes; `maxFee` in atomic units. */
export interface PrepareStep extends GatewayStep {
  expectedGenesisHash: Uint8Array | undefined;
  maxFee: bigint;
  allowsZeroAmount: boolean;
}

/** The options are those of `readOptions`. */
export function startStep({ signal, onProgress, clock = SYSTEM_CLOCK }: StepOptions): Step {
  return {
    request: signal === undefined ? {} : { signal },
    report: event => reportTo(onProgress, event),
    clock,
  };
}

/** When the steps after the approval end, by the clock of the options in milliseconds. */
export function deadlineOf(options: SubmitOptions): number {
  const { clock = SYSTEM_CLOCK, confirmationTimeoutMs = CONFIRMATION_TIMEOUT_MS } = options;
  return elapsedMs(clock) + confirmationTimeoutMs;
}

/** The options of a request that ends at the deadline of the step. */
export function untilDeadline({
  request,
  clock,
  deadlineMs,
}: Pick<Step, 'request' | 'clock'> & { deadlineMs?: number }): RequestOptions {
  return deadlineMs === undefined ? request : { ...request, timeoutMs: deadlineMs - elapsedMs(clock) };
}

/** An exception in a callback must not fail a payment. */
function reportTo(onProgress: StepOptions['onProgress'], event: FlowEvent): void {
  try {
    onProgress?.(event);
  } catch {}
}
