import type { NodeAddress, NodeRole } from '../base/node-address.js';
import type { ClientLimitsConfig, WrittenConfig } from './schema.js';

/** Values that `gateway.json` cannot set. Tests use other values. */
export const FIXED_CONFIG = {
  /**
   * A node that is more than `lastBlocks` blocks behind the best of the operator's nodes is asked last; one
   * that is more than `outBlocks` behind is not asked. 0 disables a limit.
   */
  lag: { lastBlocks: 5, outBlocks: 100 },
  /**
   * A read without an answer after `nextMs` is sent to the next node too. One attempt takes at most `tryMs`,
   * and all attempts take at most `totalMs`, which is well below the time limit of the host library.
   */
  reads: { nextMs: 1000, tryMs: 5000, totalMs: 10_000 },
  /**
   * After `failures` poor answers in a row, a node is asked last for `pauseMs`. If `failures` is 0, this is
   * disabled.
   */
  breaker: { failures: 5, pauseMs: 10_000 },
  /**
   * Time limits: to connect, until the head of the response, and between two chunks. `answerMs` is longer
   * than the longest `wait_ms` that a node allows. With `connectMs` it limits broadcasts and reads that wait
   * for a block, which the host library waits for longer.
   */
  timeouts: { connectMs: 2000, answerMs: 12_000, pieceMs: 10_000 },
  maxAnswerBytes: 67_108_864,
};

type FixedConfig = typeof FIXED_CONFIG;
export type TimeoutConfig = FixedConfig['timeouts'];
export type LagConfig = FixedConfig['lag'];

/**
 * Limits for all clients together: open connections, and running requests of the chain routes. 0 disables a
 * limit.
 */
export const FIXED_LIMITS = { connections: 16_384, requests: 4096 };

type LimitsConfig = ClientLimitsConfig & typeof FIXED_LIMITS;

/** Disables all limits; used by tests and development gateways. */
export const NO_LIMITS: LimitsConfig = {
  connections: 0,
  connectionsPerClient: 0,
  requests: 0,
  requestsPerClient: 0,
};

/** A node of the configuration. */
export interface StaticNode extends NodeAddress {
  role: NodeRole;
  /** Set if the node is asked over HTTPS. No issuer but that of the PEM file `caFile`, if set, is trusted. */
  tls?: { caFile?: string };
}

/** A valid configuration with defaults applied. */
export interface GatewayConfig extends Omit<WrittenConfig, 'limits' | 'staticNodes'>, FixedConfig {
  staticNodes: readonly StaticNode[];
  limits: LimitsConfig;
}
