import { GatewayError } from '../errors.js';
import type { GatewayClient, RequestOptions } from '../gateway/index.js';
import { type Clock, SYSTEM_CLOCK } from './clock.js';
import { isPassing } from './retry.js';

const POLL_MS = 100;
const TIMEOUT_MS = 10_000;

interface HeightOptions {
  signal?: AbortSignal;
  clock?: Clock;
}

/**
 * Waits until reads through the gateway know the block at `height`, as archival nodes do a little after full ones. Gives up
 * silently after 10 s, or when the gateway does not tell its height: what is read then may be a block behind.
 */
export async function awaitHeight(
  gateway: GatewayClient,
  height: bigint,
  { clock = SYSTEM_CLOCK, ...request }: HeightOptions = {},
): Promise<void> {
  const deadline = clock.now() + TIMEOUT_MS;
  while (!(await hasReached(gateway, height, request)) && clock.now() < deadline) {
    await clock.sleep(POLL_MS, request.signal);
  }
}

/** True as well when asking again would not help. */
async function hasReached(gateway: GatewayClient, height: bigint, request: RequestOptions): Promise<boolean> {
  try {
    return (await gateway.blockchainStatus(request)).height >= height;
  } catch (error) {
    if (error instanceof GatewayError) {
      return !isPassing(error);
    }
    throw error;
  }
}
