import { ConfigError } from '../base/errors.js';
import type { GatewayConfig } from './config.js';
import { snakeCase } from './reader.js';

/** Fields of resources that stay open for the life of a process. */
const FIXED = ['listenHost', 'listenPort', 'metrics'] as const;

/** Throws ConfigError if the change needs a restart. */
export function checkReloadable(current: GatewayConfig, next: GatewayConfig): void {
  const changed: string[] = FIXED.filter(
    name => JSON.stringify(current[name]) !== JSON.stringify(next[name]),
  ).map(snakeCase);
  if ((current.tls === undefined) !== (next.tls === undefined)) changed.push('tls');
  if (changed.length === 0) return;
  throw new ConfigError('CONFIG_INVALID', `a change of ${changed.join(', ')} takes a restart`);
}
