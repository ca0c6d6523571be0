import type { GatewayConfig } from '../config/config.js';
import type { AllowlistStore } from './allowlist-store.js';
import { FileStore } from './file-store.js';
import { MemoryStore } from './memory-store.js';

type Where = Pick<GatewayConfig, 'redisUrl' | 'stateFile' | 'gatewayHost'>;

/** Opens the configured store (Redis, file or memory); throws ConfigError if its content is unusable. */
export async function openAllowlistStore(
  { redisUrl, stateFile, gatewayHost }: Where,
  onError: (error: Error) => void = error => process.emitWarning(error),
): Promise<AllowlistStore> {
  const store = await openStore();
  await store.read().catch(async error => {
    await store.close();
    throw error;
  });
  return store;

  async function openStore(): Promise<AllowlistStore> {
    if (redisUrl === undefined) {
      return stateFile === undefined ? new MemoryStore() : new FileStore(stateFile, onError);
    }
    const { RedisStore } = await import('./redis-store.js');
    return RedisStore.open(redisUrl, gatewayHost, onError);
  }
}
