import { GatewayBusyError, GatewayStatusError, GatewayUnreachableError } from '../gateway/errors.js';
import type { FlowEvent, Run } from './run.js';

/** Pauses between the attempts of a read. */
const READ_PAUSES_MS = [200, 400, 800];
/** A proxy without its node. */
const PROXY_STATUSES = [502, 504];

/** Whether a later retry of the read may succeed. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof GatewayBusyError ||
    error instanceof GatewayUnreachableError ||
    (error instanceof GatewayStatusError && PROXY_STATUSES.includes(error.status))
  );
}

/** The part of a run that a read needs. */
export interface Reader extends Pick<Run, 'request' | 'clock'> {
  report: (event: Extract<FlowEvent, { step: 'retry' }>) => void;
}

/** Retries a read with growing pauses while it fails for a passing reason. */
export async function retryRead<T>(
  run: Reader,
  read: (options: { signal?: AbortSignal }) => Promise<T>,
): Promise<T> {
  for (const pauseMs of READ_PAUSES_MS) {
    try {
      return await read(run.request);
    } catch (error) {
      if (!isPassing(error)) throw error;
      run.report({ step: 'retry', error, pauseMs });
      await run.clock.sleep(pauseMs, run.request.signal);
    }
  }
  return read(run.request);
}
