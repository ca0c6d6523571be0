import type { ListenAddress } from '../base/host.js';
import type { NodeAddress, NodeRole } from '../base/node-address.js';
import type { WrittenConfig } from './schema.js';

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
  /** The port of a node whose hostname, or change of the allowlist, contains no port. */
  nodePort: 8884,
  /**
   * Open connections of all clients and of one, and running requests of the chain routes of all clients and of
   * one. 0 disables a limit. Connections of trusted proxies are not limited. `requestsPerClient` is below the number
   * of connections to a node, so that one client cannot occupy all of them.
   */
  limits: { connections: 16_384, connectionsPerClient: 512, requests: 4096, requestsPerClient: 100 },
};

type FixedConfig = typeof FIXED_CONFIG;
export type TimeoutConfig = FixedConfig['timeouts'];
export type LagConfig = FixedConfig['lag'];

/** Disables all limits; used by tests and development gateways. */
export const NO_LIMITS: FixedConfig['limits'] = {
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

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** JSON whose objects have their names in camel case. */
export type CamelCased<T> = T extends (infer Item)[]
  ? readonly CamelCased<Item>[]
  : T extends object
    ? { [Name in keyof T as CamelCase<Name & string>]: CamelCased<T[Name]> }
    : T;

/**
 * A valid configuration with defaults applied; docs/gateway/configuration.md describes the fields. Names and hashes
 * are in lower case, hashes have no prefix, and paths are absolute.
 */
export interface GatewayConfig
  extends Omit<CamelCased<WrittenConfig>, 'listen' | 'metricsListen' | 'staticNodes'>,
    FixedConfig {
  staticNodes: readonly StaticNode[];
  listenHost: string;
  listenPort: number;
  metrics?: ListenAddress;
}
