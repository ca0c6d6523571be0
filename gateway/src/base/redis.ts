import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { ConfigError, systemCode } from './errors.js';

const COMMAND_TIMEOUT_MS = 5000;
const CONNECT_TIMEOUT_MS = 5000;
/** A start waits no longer. */
const FIRST_TRY_MS = 5000;
const DISCONNECT_TIMEOUT_MS = 100;
const MAX_RETRY_DELAY_MS = 2000;
/** Pause after a failure, so that requests do not wait for an unavailable Redis. */
const PAUSE_MS = 1000;

/** A connection that fails fast while Redis is unavailable, and reports each outage once. */
export interface SharedRedis {
  client: Redis;
  /** False for a while after a failure. */
  isUsable(): boolean;
  failed(error: unknown): void;
  /** Code or keyword of the current outage. */
  lastFault(): string | undefined;
  worked(): void;
  close(): void;
}

/** Prefix of all keys that replicas of one gateway share. */
export function keyPrefix(gatewayHost: string): string {
  return `zbc-gateway:${gatewayHost}:`;
}

/**
 * Resolves when it is connected, or when the first try has failed, which it then repeats in the background;
 * with `wait`, throws ConfigError for that. Errors contain neither the address nor the password.
 */
export async function openRedis(
  url: string,
  onError: (error: Error) => void,
  { wait = false }: { wait?: boolean } = {},
): Promise<SharedRedis> {
  const { Redis: Client } = await import('ioredis');
  const client = new Client(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: attempt => Math.min(100 * attempt, MAX_RETRY_DELAY_MS),
  });
  // With `wait`, the caller gets the error thrown below.
  let isOpening = wait;
  const shared = watch(client, error => isOpening || onError(error));
  const tried = client.connect().catch(shared.failed);
  await Promise.race([tried, pause(FIRST_TRY_MS, undefined, { ref: false })]);
  if (wait && client.status !== 'ready') {
    shared.close();
    throw new ConfigError(
      'REDIS_UNREACHABLE',
      `redis_url: Redis does not answer (${shared.lastFault() ?? 'no answer'})`,
    );
  }
  isOpening = false;
  return shared;
}

function watch(client: Redis, onError: (error: Error) => unknown): SharedRedis {
  let pausedUntilMs = 0;
  let fault: string | undefined;
  const failed = (error: unknown) => {
    pausedUntilMs = performance.now() + PAUSE_MS;
    if (fault === undefined) {
      fault = reasonOf(error);
      onError(new Error(`Redis is unavailable (${fault}); continuing without it`));
    }
  };
  client.on('error', failed);
  return {
    client,
    isUsable: () => performance.now() >= pausedUntilMs,
    failed,
    lastFault: () => fault,
    worked: () => {
      fault = undefined;
    },
    close: () => client.disconnect(),
  };
}

/** Redis's own messages may contain the address or part of a command. */
function reasonOf(error: unknown): string {
  const words = error instanceof Error ? /^[A-Z]{4,}\b/.exec(error.message)?.[0] : undefined;
  const code = systemCode(error);
  return code === 'unknown error' ? (words ?? 'no answer') : code;
}
