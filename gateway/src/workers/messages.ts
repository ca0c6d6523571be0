import type { GatewayConfig } from '../config/config.js';
import type { ConfigErrorCode } from '../errors.js';
import type { Certificate } from '../http/tls.js';
import type { LogLevel } from '../monitoring/log.js';
import type { TrafficCounts } from '../monitoring/traffic.js';

/** What the primary tells a worker. */
export type Order =
  | { kind: 'start'; config: GatewayConfig; certificate: Certificate | undefined; logLevel: LogLevel }
  | { kind: 'renew'; certificate: Certificate }
  | { kind: 'tell-traffic'; question: number }
  /** The answer to a worker's own question. */
  | { kind: 'traffic-of-all'; question: number; counts: readonly TrafficCounts[] }
  | { kind: 'stop' };

/** What a worker tells the primary. */
export type Report =
  /** Orders that came before would have been lost. */
  | { kind: 'listening-for-orders' }
  | { kind: 'ready'; url: string }
  | { kind: 'failed'; code: ConfigErrorCode | undefined; message: string }
  | { kind: 'ask-traffic'; question: number }
  | { kind: 'traffic'; question: number; counts: TrafficCounts };

const REPORTS: readonly Report['kind'][] = [
  'listening-for-orders',
  'ready',
  'failed',
  'ask-traffic',
  'traffic',
];
const ORDERS: readonly Order['kind'][] = ['start', 'renew', 'tell-traffic', 'traffic-of-all', 'stop'];

/** The cluster and the metrics use the same channel. */
export function isReport(message: unknown): message is Report {
  return REPORTS.includes(Reflect.get(Object(message), 'kind'));
}

export function isOrder(message: unknown): message is Order {
  return ORDERS.includes(Reflect.get(Object(message), 'kind'));
}

/** How a worker started. */
export type Outcome = Extract<Report, { kind: 'ready' | 'failed' }>;

export function isOutcome(message: unknown): message is Outcome {
  return isReport(message) && (message.kind === 'ready' || message.kind === 'failed');
}
