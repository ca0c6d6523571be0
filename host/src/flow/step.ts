import type { GatewayClient, RequestOptions } from '../gateway/index.js';
import { type Clock, SYSTEM_CLOCK } from './clock.js';
import type { FlowEvent, StepOptions } from './options.js';

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

/** The options of a request that ends at the deadline of the step. */
export function untilDeadline({
  request,
  clock,
  deadlineMs,
}: Pick<Step, 'request' | 'clock'> & { deadlineMs?: number }): RequestOptions {
  return deadlineMs === undefined ? request : { ...request, timeoutMs: deadlineMs - clock.now() };
}

/** An exception in a callback must not fail a payment. */
function reportTo(onProgress: StepOptions['onProgress'], event: FlowEvent): void {
  try {
    onProgress?.(event);
  } catch {}
}
