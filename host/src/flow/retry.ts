import { GatewayBusyError, GatewayStatusError, GatewayUnreachableError } from '../gateway/errors.js';
import type { FlowEvent, Step } from './step.js';

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

/** The part of a step that a read needs. */
export interface Reader extends Pick<Step, 'request' | 'clock'> {
  /** Called before each pause. */
  report: (event: Extract<FlowEvent, { step: 'retry' }>) => void;
}

/** Retries a read with growing pauses while it fails for a passing reason. */
export async function retryRead<T>(
  reader: Reader,
  read: (options: { signal?: AbortSignal }) => Promise<T>,
): Promise<T> {
  for (const pauseMs of READ_PAUSES_MS) {
    try {
      return await read(reader.request);
    } catch (error) {
      if (!isPassing(error)) throw error;
      reader.report({ step: 'retry', error, pauseMs });
      await reader.clock.sleep(pauseMs, reader.request.signal);
    }
  }
  return read(reader.request);
}
