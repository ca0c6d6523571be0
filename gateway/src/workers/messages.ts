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
  /** Orders that came before would have been lost. */
  | { kind: 'listening-for-orders' }
  | { kind: 'ready'; url: string }
  | { kind: 'failed'; code: ConfigErrorCode | undefined; message: string };

/** The cluster and the metrics use the same channel. */
export function isReport(message: unknown): message is Report {
  return ['listening-for-orders', 'ready', 'failed'].includes(Reflect.get(Object(message), 'kind'));
}

export function isOrder(message: unknown): message is Order {
  return ['start', 'renew', 'stop'].includes(Reflect.get(Object(message), 'kind'));
}

/** How a worker started. */
export type Outcome = Extract<Report, { kind: 'ready' | 'failed' }>;

export function isOutcome(message: unknown): message is Outcome {
  return isReport(message) && message.kind !== 'listening-for-orders';
}
