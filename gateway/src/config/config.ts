import type { NodeAddress, NodeRole } from '../upstream/node-address.js';

/** `private` routes to the configured nodes alone; `public` to those of the chain's registry too. */
export type GatewayMode = 'private' | 'public';

export interface StaticNode extends NodeAddress {
  role: NodeRole;
}

/** Certificate and key in PEM files, or a certificate that the gateway makes for itself. */
export type TlsConfig = { certFile: string; keyFile: string } | { selfSigned: true };

/** What `/relay/info` tells; `genesisHash` is lower hex, `rate` atomic units a megabyte. */
export interface RelayConfig {
  address: string;
  rate: bigint;
  genesisHash: string;
}

/** How many requests one client may make in each window. */
export interface RateLimitConfig {
  /** Of any kind; 0 is no limit. */
  requests: number;
  /** Broadcasts and allowlist writes; 0 is no limit. */
  writes: number;
  windowSeconds: number;
}

export interface TimeoutConfig {
  connectMs: number;
  /** From the request to the head of the answer. */
  answerMs: number;
  /** Between two pieces of an answer. */
  pieceMs: number;
}

/** `gateway.json`, checked and with every default filled in; paths are absolute. */
export interface GatewayConfig {
  /** The name that clients ask for, lower case, without a port: `{gateway_host}` of interface.md. */
  gatewayHost: string;
  /** Further names that are answered as `gatewayHost` is. */
  otherHosts: readonly string[];
  /** `https://host[:port]` under which clients reach the gateway, when that is a proxy in front of it. */
  publicUrl?: string;
  mode: GatewayMode;
  listenHost: string;
  /** 0 lets the system choose. */
  listenPort: number;
  tls?: TlsConfig;
  /** Answers every request with a redirection to HTTPS; only with `tls`. */
  redirectPort?: number;
  staticNodes: readonly StaticNode[];
  /** The port of a node whose hostname names none. */
  nodePort: number;
  /** Whether nodes of the registry may have addresses that are not public. */
  allowPrivateNodes: boolean;
  /** The only chain that is routed to, lower hex; what the operator's nodes agree on when left out. */
  genesisHash?: string;
  healthIntervalMs: number;
  adminApiKey: string;
  /** Where the allowlist's changes are kept when there is no `redisUrl`; in memory only when left out. */
  stateFile?: string;
  redisUrl?: string;
  workers: number;
  downloadsDir?: string;
  releasesDir?: string;
  relay?: RelayConfig;
  /** Of a development gateway only. */
  faucet: boolean;
  rateLimit: RateLimitConfig;
  /** Addresses or networks of proxies in front, whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  timeouts: TimeoutConfig;
  maxAnswerBytes: number;
  /** Where Prometheus reads; nowhere when left out. */
  metrics?: { host: string; port: number };
}
