import { GatewayError } from '../errors.js';
import type { TransactionStatus } from '../gateway/index.js';
import { notConfirmedError } from './errors.js';
import { isPassing } from './retry.js';
import type { Run } from './run.js';

const CONFIRMED = 'confirmed';
/** The first pause; each later one is twice as long, up to `pollMs`. */
const FIRST_POLL_MS = 125;
/** Until the status route reports a stage. */
const UNKNOWN: TransactionStatus = { stage: 'submitted' };

/**
 * Polls until the transaction is confirmed, or once if the run does not wait. Throws `NOT_CONFIRMED` on
 * timeout.
 */
export async function awaitConfirmation(run: Run, transactionHash: string): Promise<TransactionStatus> {
  const deadline = run.clock.now() + run.confirmationTimeoutMs;
  let latest = UNKNOWN;
  for (let pauseMs = FIRST_POLL_MS; ; pauseMs *= 2) {
    const status = await readStatus(run, transactionHash);
    if (status !== undefined && status.stage !== latest.stage) {
      run.report({ step: 'stage', stage: status.stage, blockHeight: status.blockHeight });
    }
    latest = status ?? latest;
    if (latest.stage === CONFIRMED || !run.waitsForConfirmation) return latest;
    if (run.clock.now() >= deadline) {
      throw notConfirmedError(transactionHash, latest.stage, run.confirmationTimeoutMs);
    }
    await run.clock.sleep(Math.min(pauseMs, run.pollMs), run.request.signal);
  }
}

/** Undefined if nothing is known; a passing failure of the gateway is ignored. */
async function readStatus(run: Run, transactionHash: string): Promise<TransactionStatus | undefined> {
  try {
    return await run.gateway.transactionStatus(transactionHash, run.request);
  } catch (error) {
    if (isPassing(error) || (error instanceof GatewayError && !run.waitsForConfirmation)) return undefined;
    throw error;
  }
}
