import type { ClientLimitsConfig, WrittenConfig } from './schema.js';

/** Values that `gateway.json` cannot set; tests use others. */
export const FIXED_CONFIG = {
  /**
   * Blocks behind the best of the operator's nodes above which a node is asked last, or not at all; 0: never.
   */
  lag: { lastBlocks: 5, outBlocks: 100 },
  /** Minimum delay before a slow read is also sent to a second node; 0 disables hedging. */
  hedgeMs: 5,
  /** After `failures` poor answers in a row, a node is asked last for `pauseMs`; 0 failures disable this. */
  breaker: { failures: 5, pauseMs: 10_000 },
  /**
   * Limits for a connection; for the response head, longer than the longest wait_ms of a node; and between
   * two chunks.
   */
  timeouts: { connectMs: 2000, answerMs: 15_000, pieceMs: 10_000 },
  maxAnswerBytes: 67_108_864,
};

type FixedConfig = typeof FIXED_CONFIG;
export type TimeoutConfig = FixedConfig['timeouts'];
export type LagConfig = FixedConfig['lag'];

/** Limits for all clients together, of the chain routes' requests; 0 disables one. */
export const FIXED_LIMITS = { connections: 16_384, requests: 4096, streams: 1024 };

type LimitsConfig = ClientLimitsConfig & typeof FIXED_LIMITS;

/** Used by tests and development gateways. */
export const NO_LIMITS: LimitsConfig = {
  connections: 0,
  connectionsPerClient: 0,
  requests: 0,
  requestsPerClient: 0,
  streams: 0,
  streamsPerClient: 0,
};

/** A valid configuration with defaults applied. */
export interface GatewayConfig extends Omit<WrittenConfig, 'limits'>, FixedConfig {
  limits: LimitsConfig;
}
