import { NODE_ROLES } from '../base/node-address.js';
import type {
  NodeTlsConfig,
  RateLimitConfig,
  RelayConfig,
  StaticNode,
  TlsConfig,
  WrittenConfig,
} from './config.js';
import {
  type Fields,
  fault,
  listOf,
  objectOf,
  optional,
  type Reader,
  required,
  withDefault,
} from './reader.js';
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

interface WrittenTls {
  certFile?: string;
  keyFile?: string;
  selfSigned?: boolean;
}

const written = objectOf<WrittenTls>({
  certFile: optional(text),
  keyFile: optional(text),
  selfSigned: optional(boolean),
});

/** `{cert_file, key_file}` or `{self_signed: true}`. */
const tls: Reader<TlsConfig> = (value, path) => {
  const { certFile, keyFile, selfSigned = false } = written(value, path);
  const hasFile = certFile !== undefined || keyFile !== undefined;
  if (selfSigned && hasFile) {
    throw fault(`${path}.self_signed`, 'must be omitted when cert_file and key_file are set');
  }
  if (selfSigned) return { selfSigned };
  if (certFile === undefined || keyFile === undefined) {
    const missing = certFile === undefined && keyFile !== undefined ? 'cert_file' : 'key_file';
    throw hasFile
      ? fault(`${path}.${missing}`, 'is missing')
      : fault(path, 'must have cert_file and key_file, or self_signed: true');
  }
  return { certFile, keyFile };
};

const MAX_NODES = 256;
const MAX_NAMES = 64;
const MAX_WORKERS = 64;
const HOUR_MS = 3_600_000;
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
};

const limits: Fields<WrittenConfig['limits']> = {
  connectionsPerClient: withDefault(integer(0, 1_000_000), 512),
  // Fewer than the connections to a node, so that one client cannot occupy them all.
  requestsPerClient: withDefault(integer(0, 1_000_000), 100),
  streamsPerClient: withDefault(integer(0, 1_000_000), 16),
};

const metrics: Fields<NonNullable<WrittenConfig['metrics']>> = {
  host: withDefault(text, '127.0.0.1'),
  port: required(listenPort),
};

const NOW_FIXED = 'was removed: delete it; its value is fixed (docs/gateway/configuration.md#fixed-values)';
const IN_FRONT = 'in front (docs/gateway/running.md#behind-a-proxy)';

/** Fields of earlier versions, with what to do instead, for the refusal. */
const REMOVED_FIELDS: Readonly<Record<string, string>> = {
  verify_reads:
    'was removed: delete it; wallets compare gateways themselves (otherGateways of the host library)',
  http2: `was removed: delete it; HTTP/2 is spoken by nginx, Caddy or HAProxy ${IN_FRONT}`,
  redirect_port: `was removed: delete it; redirects are given by nginx, Caddy or HAProxy ${IN_FRONT}`,
  acme_dir: `was removed: delete it; a certificate authority is answered by nginx or Caddy ${IN_FRONT}`,
  static_dir: `was removed: delete it; own pages are served by nginx or Caddy ${IN_FRONT}`,
  lag: NOW_FIXED,
  hedge_ms: NOW_FIXED,
  breaker: NOW_FIXED,
  timeouts: NOW_FIXED,
  max_answer_bytes: NOW_FIXED,
  'rate_limit.window_seconds':
    'was removed: delete it; a window is a minute long, so give what a minute may have',
  'limits.connections': NOW_FIXED,
  'limits.requests': NOW_FIXED,
  'limits.streams': NOW_FIXED,
};

/** Every field of `gateway.json` with its default; the table in docs has the same. */
export const GATEWAY_FIELDS: Fields<WrittenConfig> = {
  gatewayHost: required(hostName),
  otherHosts: withDefault(listOf(otherHost, MAX_NAMES), []),
  publicUrl: optional(publicUrl),
  mode: withDefault(oneOf('private', 'public'), 'private'),
  listenHost: withDefault(text, '127.0.0.1'),
  listenPort: withDefault(listenPort, 8883),
  tls: optional(tls),
  hstsSeconds: withDefault(integer(0, 63_072_000), 0),
  corsOrigins: withDefault(listOf(origin, MAX_NAMES), []),
  staticNodes: withDefault(listOf(objectOf(staticNode), MAX_NODES), []),
  nodePort: withDefault(port, 8884),
  allowPrivateNodes: withDefault(boolean, false),
  genesisHash: optional(genesisHash),
  healthIntervalMs: withDefault(integer(100, HOUR_MS), 5000),
  adminApiKey: required(adminKey),
  stateFile: optional(text),
  redisUrl: optional(redisUrl),
  workers: withDefault(integer(1, MAX_WORKERS), 1),
  downloadsDir: optional(text),
  releasesDir: optional(text),
  relay: optional(objectOf(relay)),
  faucet: withDefault(boolean, false),
  wallet: withDefault(boolean, false),
  rateLimit: withDefault(objectOf(rateLimit, REMOVED_FIELDS), {}),
  limits: withDefault(objectOf(limits, REMOVED_FIELDS), {}),
  trustedProxies: withDefault(listOf(network, MAX_NAMES), []),
  cacheBytes: withDefault(integer(0, 64 * 1024 * MEBIBYTE), 64 * MEBIBYTE),
  metrics: optional(objectOf(metrics)),
};

/** Reads `gateway.json`; throws Faults. */
export const readWrittenConfig = objectOf(GATEWAY_FIELDS, REMOVED_FIELDS);
