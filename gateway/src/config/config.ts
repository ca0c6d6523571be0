import type { NodeAddress, NodeRole } from '../base/node-address.js';

/** `private` routes only to configured nodes; `public` also to those of the chain's registry. */
type GatewayMode = 'private' | 'public';

/** A node that the configuration names. */
export interface StaticNode extends NodeAddress {
  role: NodeRole;
  /** For a node that is asked over HTTPS. */
  tls?: NodeTlsConfig;
}

/** What the certificate of a node must be. */
export interface NodeTlsConfig {
  /** PEM; no other issuer is trusted for this node. */
  caFile: string;
  /** The name that it must be for; default: the node's address. */
  serverName?: string;
}

/** Certificate and key in PEM files, or a self-signed certificate. */
export type TlsConfig = { certFile: string; keyFile: string } | { selfSigned: true };

/** Returned by `/relay/info`; `genesisHash` is lower hex, `rate` atomic units per megabyte. */
export interface RelayConfig {
  address: string;
  rate: bigint;
  genesisHash: string;
}

/** Requests that one client may make in a minute. */
export interface RateLimitConfig {
  /** Of any kind; 0 disables the limit. */
  requests: number;
  /** Broadcasts and allowlist writes; 0 disables the limit. */
  writes: number;
}

/** Of one client at the same time, in each process; 0 disables a limit. */
interface ClientLimitsConfig {
  /** Connections of trusted proxies are not limited. */
  connectionsPerClient: number;
  requestsPerClient: number;
  /** Streams of events. */
  streamsPerClient: number;
}

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

/** The fields of `gateway.json`; paths are absolute once they were read. */
export interface WrittenConfig {
  /**
   * The name that clients ask for, lower case, without a port: `{gateway_host}` of
   * docs/gateway/routing.md#node-hostnames.
   */
  gatewayHost: string;
  /** Aliases of `gatewayHost`. */
  otherHosts: readonly string[];
  /** `https://host[:port]` of a proxy in front of the gateway. */
  publicUrl?: string;
  mode: GatewayMode;
  listenHost: string;
  /** 0 lets the system choose. */
  listenPort: number;
  tls?: TlsConfig;
  /** For how long browsers use HTTPS alone; 0: they are not told. */
  hstsSeconds: number;
  /** Other origins whose pages may use the chain routes. */
  corsOrigins: readonly string[];
  staticNodes: readonly StaticNode[];
  /** The port of a node whose host name has none. */
  nodePort: number;
  /** Whether nodes of the registry may have private addresses. */
  allowPrivateNodes: boolean;
  /** The chain to route to, lower hex; default: the one the operator's nodes agree on. */
  genesisHash?: string;
  healthIntervalMs: number;
  adminApiKey: string;
  /** File for the allowlist's changes without `redisUrl`; default: memory only. */
  stateFile?: string;
  redisUrl?: string;
  workers: number;
  downloadsDir?: string;
  releasesDir?: string;
  relay?: RelayConfig;
  /** For development networks only. */
  faucet: boolean;
  /** Whether to serve the wallet page at `/wallet/`. */
  wallet: boolean;
  rateLimit: RateLimitConfig;
  limits: ClientLimitsConfig;
  /** Addresses or networks of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[];
  /** Memory of each process for answers that never change; 0 disables it. */
  cacheBytes: number;
  /** Listener for Prometheus; default: none. */
  metrics?: { host: string; port: number };
}
