import { NODE_ROLES } from '../base/node-address.js';
import type {
  BreakerConfig,
  GatewayConfig,
  LagConfig,
  LimitsConfig,
  NodeTlsConfig,
  RateLimitConfig,
  RelayConfig,
  StaticNode,
  TimeoutConfig,
} from './config.js';
import { type Fields, listOf, objectOf, optional, required, withDefault } from './reader.js';
import { tls } from './tls-field.js';
import {
  adminKey,
  amount,
  boolean,
  genesisHash,
  hostName,
  integer,
  ipv4,
  listenPort,
  network,
  oneOf,
  origin,
  otherHost,
  port,
  publicUrl,
  redisUrl,
  text,
} from './values.js';

const MAX_NODES = 256;
const MAX_NAMES = 64;
const MAX_WORKERS = 64;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MEBIBYTE = 1_048_576;

const nodeTls: Fields<NodeTlsConfig> = {
  caFile: required(text),
  serverName: optional(hostName),
};

const staticNode: Fields<StaticNode> = {
  ip: required(ipv4),
  port: required(port),
  role: withDefault(oneOf(...NODE_ROLES), 'full'),
  tls: optional(objectOf(nodeTls)),
};

const relay: Fields<RelayConfig> = {
  address: required(text),
  rate: required(amount),
  genesisHash: required(genesisHash),
};

const rateLimit: Fields<RateLimitConfig> = {
  requests: withDefault(integer(0, 1_000_000), 600),
  writes: withDefault(integer(0, 1_000_000), 60),
  windowSeconds: withDefault(integer(1, 3600), 60),
};

const limits: Fields<LimitsConfig> = {
  connections: withDefault(integer(0, 1_000_000), 16_384),
  connectionsPerClient: withDefault(integer(0, 1_000_000), 512),
  requests: withDefault(integer(0, 1_000_000), 4096),
  // Fewer than the connections to a node, so that one client cannot occupy them all.
  requestsPerClient: withDefault(integer(0, 1_000_000), 100),
  streams: withDefault(integer(0, 1_000_000), 1024),
  streamsPerClient: withDefault(integer(0, 1_000_000), 16),
};

const timeouts: Fields<TimeoutConfig> = {
  connectMs: withDefault(integer(10, MINUTE_MS), 2000),
  // Longer than the longest wait_ms of a node.
  answerMs: withDefault(integer(10, 10 * MINUTE_MS), 15_000),
  pieceMs: withDefault(integer(10, 10 * MINUTE_MS), 10_000),
};

const lag: Fields<LagConfig> = {
  lastBlocks: withDefault(integer(0, 1_000_000), 5),
  outBlocks: withDefault(integer(0, 1_000_000), 100),
};

const breaker: Fields<BreakerConfig> = {
  failures: withDefault(integer(0, 1000), 5),
  pauseMs: withDefault(integer(100, HOUR_MS), 10_000),
};

const metrics: Fields<NonNullable<GatewayConfig['metrics']>> = {
  host: withDefault(text, '127.0.0.1'),
  port: required(listenPort),
};

/** Fields of earlier versions: what to do instead, for the refusal. */
export const REMOVED_FIELDS: ReadonlyMap<string, string> = new Map([
  [
    'verify_reads',
    'was removed: delete it; wallets compare gateways themselves (otherGateways of the host library)',
  ],
]);

/** Every field of `gateway.json` with its default; the table in docs has the same. */
export const GATEWAY_FIELDS: Fields<GatewayConfig> = {
  gatewayHost: required(hostName),
  otherHosts: withDefault(listOf(otherHost, MAX_NAMES), []),
  publicUrl: optional(publicUrl),
  mode: withDefault(oneOf('private', 'public'), 'private'),
  listenHost: withDefault(text, '127.0.0.1'),
  listenPort: withDefault(listenPort, 8883),
  tls: optional(tls),
  http2: withDefault(boolean, true),
  hstsSeconds: withDefault(integer(0, 63_072_000), 0),
  redirectPort: optional(listenPort),
  acmeDir: optional(text),
  corsOrigins: withDefault(listOf(origin, MAX_NAMES), []),
  staticNodes: withDefault(listOf(objectOf(staticNode), MAX_NODES), []),
  nodePort: withDefault(port, 8884),
  allowPrivateNodes: withDefault(boolean, false),
  genesisHash: optional(genesisHash),
  healthIntervalMs: withDefault(integer(100, HOUR_MS), 5000),
  lag: withDefault(objectOf(lag), {}),
  hedgeMs: withDefault(integer(0, MINUTE_MS), 5),
  breaker: withDefault(objectOf(breaker), {}),
  adminApiKey: required(adminKey),
  stateFile: optional(text),
  redisUrl: optional(redisUrl),
  workers: withDefault(integer(1, MAX_WORKERS), 1),
  downloadsDir: optional(text),
  releasesDir: optional(text),
  staticDir: optional(text),
  relay: optional(objectOf(relay)),
  faucet: withDefault(boolean, false),
  wallet: withDefault(boolean, false),
  rateLimit: withDefault(objectOf(rateLimit), {}),
  limits: withDefault(objectOf(limits), {}),
  trustedProxies: withDefault(listOf(network, MAX_NAMES), []),
  timeouts: withDefault(objectOf(timeouts), {}),
  maxAnswerBytes: withDefault(integer(1024, 1024 * MEBIBYTE), 64 * MEBIBYTE),
  cacheBytes: withDefault(integer(0, 64 * 1024 * MEBIBYTE), 64 * MEBIBYTE),
  metrics: optional(objectOf(metrics)),
};
