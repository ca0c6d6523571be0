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
 * Waits until the gateway's reads include the block at `height`: archival nodes follow full nodes with a
 * delay. Returns anyway after 10 s, or if the gateway does not report its height; later reads may then be a
 * block behind.
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

/** Also true if retrying would not help. */
async function hasReached(gateway: GatewayClient, height: bigint, request: RequestOptions): Promise<boolean> {
  try {
    return (await gateway.blockchainStatus(request)).height >= height;
  } catch (error) {
    if (error instanceof GatewayError) return !isPassing(error);
    throw error;
  }
}
