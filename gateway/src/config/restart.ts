import { ConfigError } from '../base/errors.js';
import type { GatewayConfig } from './config.js';
import { snakeCase } from './reader.js';

/** Fields that cannot be reloaded, because their listeners stay open as long as the process runs. */
const FIXED = ['listenHost', 'listenPort', 'metrics'] as const;

/** Throws ConfigError if the change needs a restart. */
export function checkReloadable(current: GatewayConfig, next: GatewayConfig): void {
  const changed: string[] = FIXED.filter(
    name => JSON.stringify(current[name]) !== JSON.stringify(next[name]),
  ).map(snakeCase);
  if ((current.tls === undefined) !== (next.tls === undefined)) changed.push('tls');
  if (changed.length === 0) return;
  throw new ConfigError('CONFIG_INVALID', `a change of ${changed.join(', ')} requires a restart`);
}
