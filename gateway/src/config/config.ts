import type { ClientLimitsConfig, WrittenConfig } from './schema.js';

/** What no field of `gateway.json` sets; tests give other values. */
export const FIXED_CONFIG = {
  /** Blocks behind the best of the operator's nodes, past which one is asked last, or not at all; 0: never. */
  lag: { lastBlocks: 5, outBlocks: 100 },
  /** The shortest time after which a slow read is asked of a second node too; 0 disables it. */
  hedgeMs: 5,
  /** A node with `failures` poor answers in a row is asked last for `pauseMs`; 0 failures disable it. */
  breaker: { failures: 5, pauseMs: 10_000 },
  /**
   * Of a connection; from the request to the response head, which is longer than the longest wait_ms of a node;
   * and between two chunks of a response.
   */
  timeouts: { connectMs: 2000, answerMs: 15_000, pieceMs: 10_000 },
  maxAnswerBytes: 67_108_864,
};

type FixedConfig = typeof FIXED_CONFIG;
export type TimeoutConfig = FixedConfig['timeouts'];
export type LagConfig = FixedConfig['lag'];

/** Of all clients together, the requests of chain routes; 0 disables a limit. */
export const FIXED_LIMITS = { connections: 16_384, requests: 4096, streams: 1024 };

type LimitsConfig = ClientLimitsConfig & typeof FIXED_LIMITS;

/** For a gateway of tests and development. */
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
