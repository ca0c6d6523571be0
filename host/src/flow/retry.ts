import { GatewayBusyError, GatewayStatusError, GatewayUnreachableError } from '../gateway/errors.js';
import type { FlowEvent, Run } from './run.js';

/** Pauses between the tries of a read. */
const READ_PAUSES_MS = [200, 400, 800];
/** A proxy that lost its node. */
const PROXY_STATUSES = [502, 504];

/** Whether the same read may do better a little later. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof GatewayBusyError ||
    error instanceof GatewayUnreachableError ||
    (error instanceof GatewayStatusError && PROXY_STATUSES.includes(error.status))
  );
}

/** What a read needs of a run. */
export interface Reader extends Pick<Run, 'request' | 'clock'> {
  report: (event: Extract<FlowEvent, { step: 'retry' }>) => void;
}

/** Repeats a read, which changes nothing, with growing pauses while it fails for a passing reason. */
export async function retryRead<T>(
  run: Reader,
  read: (options: { signal?: AbortSignal }) => Promise<T>,
): Promise<T> {
  for (const pauseMs of READ_PAUSES_MS) {
    try {
      return await read(run.request);
    } catch (error) {
      if (!isPassing(error)) {
        throw error;
      }
      run.report({ step: 'retry', error, pauseMs });
      await run.clock.sleep(pauseMs, run.request.signal);
    }
  }
  return read(run.request);
}
