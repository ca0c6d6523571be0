import { type Clock, elapsedMs, SYSTEM_CLOCK } from '../../clock.js';
import { GatewayError } from '../../errors.js';
import type { GatewayClient } from '../../gateway/index.js';
import { type FlowStep, untilDeadline } from '../flow-step.js';
import { isPassing, pauseAfter } from './retry.js';

const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 1000;
const TIMEOUT_MS = 10_000;

interface HeightOptions {
  signal?: AbortSignal | undefined;
  clock?: Clock | undefined;
}

/**
 * Waits until the gateway's reads include the block at `height`. The reads may be late, because archival
 * nodes follow full nodes with a delay. Returns after 10 s, or if the gateway does not report its height;
 * reads may then still lack the block.
 */
export async function awaitHeight(
  gateway: GatewayClient,
  height: bigint,
  { clock = SYSTEM_CLOCK, ...request }: HeightOptions = {},
): Promise<void> {
  const deadlineMs = elapsedMs(clock) + TIMEOUT_MS;
  try {
    await pollHeight(gateway, height, { request, clock, deadlineMs });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}

/**
 * Polls the height of the gateway until it reaches `height` or the deadline has passed. Returns the last
 * height that was read; undefined if no read succeeded. Throws GatewayError if polling again would not help.
 */
export async function pollHeight(
  gateway: GatewayClient,
  height: bigint,
  reader: Pick<FlowStep, 'request' | 'clock'> & { deadlineMs: number },
): Promise<bigint | undefined> {
  const { clock, request, deadlineMs } = reader;
  let last: bigint | undefined;
  for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_POLL_MS)) {
    let failure: unknown;
    try {
      last = (await gateway.blockchainStatus(untilDeadline(reader))).height;
    } catch (error) {
      if (!isPassing(error)) throw error;
      failure = error;
    }
    if (last !== undefined && last >= height) return last;
    const leftMs = deadlineMs - elapsedMs(clock);
    if (leftMs <= 0) return last;
    await clock.sleep(Math.min(pauseAfter(failure, pauseMs), leftMs), request.signal);
  }
}
