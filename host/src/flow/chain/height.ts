import { type Clock, elapsedMs, SYSTEM_CLOCK } from '../../clock.js';
import { GatewayError } from '../../errors.js';
import type { GatewayClient } from '../../gateway/index.js';
import { untilDeadline } from '../flow-step.js';
import { pauseAfter } from './retry.js';

const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 1000;
const TIMEOUT_MS = 10_000;

interface HeightOptions {
  signal?: AbortSignal | undefined;
  clock?: Clock | undefined;
}

/**
 * Waits until the gateway's reads include the block at `height`. The reads may be late, because archival
 * nodes follow full nodes with a delay. Returns after 10 s, even if reads still lack the block.
 */
export async function awaitHeight(
  gateway: GatewayClient,
  height: bigint,
  { clock = SYSTEM_CLOCK, ...request }: HeightOptions = {},
): Promise<void> {
  const deadlineMs = elapsedMs(clock) + TIMEOUT_MS;
  for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_POLL_MS)) {
    let failure: unknown;
    try {
      const status = await gateway.blockchainStatus(untilDeadline({ clock, request, deadlineMs }));
      if (status.height >= height) return;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      failure = error;
    }
    const leftMs = deadlineMs - elapsedMs(clock);
    if (leftMs <= 0) return;
    await clock.sleep(Math.min(pauseAfter(failure, pauseMs), leftMs), request.signal);
  }
}
