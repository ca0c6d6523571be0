import { ConfigError, type ConfigErrorCode } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';
import type { Certificate } from '../http/tls.js';
import type { LogLevel } from '../monitoring/log.js';
import type { ProcessCounts } from '../monitoring/process-counts.js';

/** A message from the primary to a worker. */
export type Command =
  | { kind: 'start'; config: GatewayConfig; certificate: Certificate | undefined; logLevel: LogLevel }
  /** Answered by `reload-prepared`; then comes `end-reload`. */
  | { kind: 'prepare-reload'; requestId: number; config: GatewayConfig; certificate: Certificate | undefined }
  | { kind: 'end-reload'; isWanted: boolean }
  /** The reply to a worker's `request-reload`. */
  | { kind: 'reload-ended'; requestId: number; refusal: Refusal | undefined }
  | { kind: 'report-counts'; requestId: number; withHistory: boolean }
  /** The reply to a worker's `request-all-counts`. */
  | { kind: 'all-counts'; requestId: number; counts: readonly ProcessCounts[] }
  | { kind: 'stop' };

/** A message from a worker to the primary. */
export type Report =
  /** Commands sent before this would be lost. */
  | { kind: 'listening-for-commands' }
  | { kind: 'ready'; url: string }
  | { kind: 'failed'; code: ConfigErrorCode | undefined; message: string }
  | { kind: 'request-all-counts'; requestId: number; withHistory: boolean }
  | { kind: 'request-reload'; requestId: number }
  | { kind: 'reload-prepared'; requestId: number; refusal: Refusal | undefined }
  | { kind: 'counts'; requestId: number; counts: ProcessCounts };

/** Why a configuration was not taken: what a ConfigError has. */
export interface Refusal {
  code: ConfigErrorCode;
  message: string;
  faults: readonly string[];
}

const REPORTS: readonly Report['kind'][] = [
  'listening-for-commands',
  'ready',
  'failed',
  'request-all-counts',
  'request-reload',
  'reload-prepared',
  'counts',
];
const COMMANDS: readonly Command['kind'][] = [
  'start',
  'prepare-reload',
  'end-reload',
  'reload-ended',
  'report-counts',
  'all-counts',
  'stop',
];

/** node:cluster and prom-client use the same channel. */
export function isReport(message: unknown): message is Report {
  return REPORTS.includes(Reflect.get(Object(message), 'kind'));
}

export function isCommand(message: unknown): message is Command {
  return COMMANDS.includes(Reflect.get(Object(message), 'kind'));
}

/** How a worker started. */
export type Outcome = Extract<Report, { kind: 'ready' | 'failed' }>;

export function isOutcome(message: unknown): message is Outcome {
  return isReport(message) && (message.kind === 'ready' || message.kind === 'failed');
}

/** For a message, as the class of an error is lost in it. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof ConfigError) {
    return { code: error.code, message: error.message, faults: error.facts.faults };
  }
  return {
    code: 'CONFIG_INVALID',
    message: error instanceof Error ? error.message : String(error),
    faults: [],
  };
}

export function errorOf({ code, message, faults }: Refusal): ConfigError {
  return new ConfigError(code, message, faults);
}
