import type { ClientLimitsConfig, WrittenConfig } from './schema.js';

/** And of all clients together; 0 disables a limit. */
interface LimitsConfig extends ClientLimitsConfig {
  connections: number;
  /** Of chain routes. */
  requests: number;
  streams: number;
}

/** For a gateway of tests and development. */
export const NO_LIMITS: LimitsConfig = {
  connections: 0,
  connectionsPerClient: 0,
  requests: 0,
  requestsPerClient: 0,
  streams: 0,
  streamsPerClient: 0,
};

export interface TimeoutConfig {
  connectMs: number;
  /** From the request to the response head. */
  answerMs: number;
  /** Between two chunks of a response. */
  pieceMs: number;
}

/** Blocks behind the best of the operator's nodes; 0 disables a limit. */
export interface LagConfig {
  /** A node further behind is asked last. */
  lastBlocks: number;
  /** A node further behind is not asked. */
  outBlocks: number;
}

/** A node with `failures` poor answers in a row is asked last for `pauseMs`; 0 failures disable it. */
interface BreakerConfig {
  failures: number;
  pauseMs: number;
}

/** What no field of `gateway.json` sets; tests give other values. */
interface FixedConfig {
  lag: LagConfig;
  /** The shortest time after which a slow read is asked of a second node too; 0 disables it. */
  hedgeMs: number;
  breaker: BreakerConfig;
  timeouts: TimeoutConfig;
  maxAnswerBytes: number;
}

export const FIXED_CONFIG: FixedConfig = {
  lag: { lastBlocks: 5, outBlocks: 100 },
  hedgeMs: 5,
  breaker: { failures: 5, pauseMs: 10_000 },
  // The answer's is longer than the longest wait_ms of a node.
  timeouts: { connectMs: 2000, answerMs: 15_000, pieceMs: 10_000 },
  maxAnswerBytes: 67_108_864,
};

export const FIXED_LIMITS: Omit<LimitsConfig, keyof ClientLimitsConfig> = {
  connections: 16_384,
  requests: 4096,
  streams: 1024,
};

/** A valid configuration with defaults applied. */
export interface GatewayConfig extends Omit<WrittenConfig, 'limits'>, FixedConfig {
  limits: LimitsConfig;
}
