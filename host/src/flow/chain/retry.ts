import { throwIfAborted } from '../../cancellation.js';
import { elapsedMs } from '../../clock.js';
import { GatewayError } from '../../errors.js';
import { GatewayBusyError, isPassing } from '../../gateway/errors.js';
import type { GatewayClient, RequestOptions } from '../../gateway/index.js';
import { type FlowStep, untilDeadline } from '../flow-step.js';
import type { FlowEvent } from '../options.js';

/** Pauses between the attempts of a read. */
const READ_PAUSES_MS = [200, 400, 800];
/** The longest `Retry-After` that is honoured. */
const MAX_RETRY_AFTER_MS = 30_000;
/** The pause before a retry: `pauseMs`, or longer if a busy gateway requests a longer one. */
export function pauseAfter(error: unknown, pauseMs: number): number {
  const askedMs = error instanceof GatewayBusyError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(pauseMs, Math.min(askedMs, MAX_RETRY_AFTER_MS));
}

/** The part of a step that a read needs. */
export interface RetryingReader extends Pick<FlowStep, 'request' | 'clock'> {
  /** Called before each pause. */
  report: (event: Extract<FlowEvent, { step: 'retry' }>) => void;
  /** Deadline by `clock`, for requests and pauses. Default: none. */
  deadlineMs?: number;
}

/** Retries a read with growing pauses while it fails for a temporary reason. */
export async function retryRead<T>(
  reader: RetryingReader,
  read: (options: RequestOptions) => Promise<T>,
): Promise<T> {
  const { clock, deadlineMs = Number.POSITIVE_INFINITY } = reader;
  for (const shortestMs of READ_PAUSES_MS) {
    try {
      return await read(untilDeadline(reader));
    } catch (error) {
      const pauseMs = pauseAfter(error, shortestMs);
      if (!isPassing(error) || elapsedMs(clock) + pauseMs >= deadlineMs) throw error;
      reader.report({ step: 'retry', error, pauseMs });
      await clock.sleep(pauseMs, reader.request.signal);
    }
  }
  return read(untilDeadline(reader));
}

/** The answer of a gateway, or why it did not answer. */
export type Asked<T> = { gateway: GatewayClient } & ({ answer: T } | { error: GatewayError });

/** Asks all gateways concurrently. Throws only after an abort. */
export function askEach<T>(
  reader: RetryingReader,
  gateways: readonly GatewayClient[],
  ask: (gateway: GatewayClient, options: RequestOptions) => Promise<T>,
): Promise<Asked<T>[]> {
  return Promise.all(
    gateways.map(async gateway => {
      try {
        return { gateway, answer: await retryRead(reader, options => ask(gateway, options)) };
      } catch (error) {
        throwIfAborted(reader.request.signal);
        if (!(error instanceof GatewayError)) throw error;
        return { gateway, error };
      }
    }),
  );
}
