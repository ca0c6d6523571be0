import { callListener } from '@zbc-signer/protocol/callbacks';
import { type Clock, elapsedMs, SYSTEM_CLOCK } from '../clock.js';
import type { GatewayClient, RequestOptions } from '../gateway/index.js';
import type { FlowEvent, StepOptions, SubmitOptions } from './options.js';
import { copyOf, withJson } from './prepared.js';

const CONFIRMATION_TIMEOUT_MS = 180_000;

/** StepOptions with defaults applied. */
export interface FlowStep {
  /** Options of every request to the gateway and to the signer. */
  request: { signal?: AbortSignal | undefined };
  /** Passes a copy of an event to `onProgress`. */
  report: (event: FlowEvent) => void;
  clock: Clock;
}

/** A step that sends requests to a gateway. */
export interface GatewayStep extends FlowStep {
  gateway: GatewayClient;
  otherGateways: readonly GatewayClient[];
  /** Deadline of every request, by the clock of the step. */
  deadlineMs: number;
}

/** A step that prepares a transaction; `maxFee` is in atomic units. */
export interface PrepareStep extends GatewayStep {
  expectedGenesisHash: Uint8Array | undefined;
  maxFee: bigint;
  allowsZeroAmount: boolean;
}

/** Starts a step. The options must be a result of `readOptions`. */
export function startFlowStep({ signal, onProgress, clock = SYSTEM_CLOCK }: StepOptions): FlowStep {
  return {
    request: signal === undefined ? {} : { signal },
    report: event => void callListener(onProgress, withJson(copyOf(event))),
    clock,
  };
}

/** The deadline of the steps after the approval, in milliseconds of the options' clock. */
export function deadlineOf(options: SubmitOptions): number {
  const { clock = SYSTEM_CLOCK, confirmationTimeoutMs = CONFIRMATION_TIMEOUT_MS } = options;
  return elapsedMs(clock) + confirmationTimeoutMs;
}

/** Options of a request that ends at the deadline of the step. */
export function untilDeadline({
  request,
  clock,
  deadlineMs,
}: Pick<FlowStep, 'request' | 'clock'> & { deadlineMs?: number }): RequestOptions {
  return deadlineMs === undefined ? request : { ...request, timeoutMs: deadlineMs - elapsedMs(clock) };
}
