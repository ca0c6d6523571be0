import type { GatewayConfig } from '../config/config.js';
import type { ConfigErrorCode } from '../errors.js';
import type { LogLevel } from '../log.js';
import type { Certificate } from '../tls.js';

/** What the primary tells a worker. */
export type Order =
  | { kind: 'start'; config: GatewayConfig; certificate: Certificate | undefined; logLevel: LogLevel }
  | { kind: 'renew'; certificate: Certificate }
  | { kind: 'stop' };

/** What a worker tells the primary. */
export type Report =
  | { kind: 'ready'; url: string }
  | { kind: 'failed'; code: ConfigErrorCode | undefined; message: string };

/** The cluster and the metrics use the same channel. */
export function isReport(message: unknown): message is Report {
  return ['ready', 'failed'].includes(Reflect.get(Object(message), 'kind'));
}

export function isOrder(message: unknown): message is Order {
  return ['start', 'renew', 'stop'].includes(Reflect.get(Object(message), 'kind'));
}
