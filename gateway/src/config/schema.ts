import { NODE_ROLES } from '../base/node-address.js';
import {
  fault,
  listOf,
  objectOf,
  optional,
  type ReadBy,
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
  text,
} from './values.js';

/** Certificate and key in PEM files, or a self-signed certificate. */
export type TlsConfig = { certFile: string; keyFile: string } | { selfSigned: true };

const writtenTls = objectOf({
  certFile: optional(text),
  keyFile: optional(text),
  selfSigned: optional(boolean),
});

/** The field `tls`: `{cert_file, key_file}` or `{self_signed: true}`. */
const tls: Reader<TlsConfig> = (value, path) => {
  const { certFile, keyFile, selfSigned = false } = writtenTls(value, path);
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
const HOUR_MS = 3_600_000;
const MEBIBYTE = 1_048_576;

/** Requirements for a node's certificate. */
const nodeTls = {
  /** PEM file; no other issuer is trusted for this node. */
  caFile: required(text),
  /** Host name in the certificate; default: the node's address. */
  serverName: optional(hostName),
};

const staticNode = {
  ip: required(ipv4),
  port: required(port),
  role: withDefault(oneOf(...NODE_ROLES), 'full'),
  /** Set if the node is asked over HTTPS. */
  tls: optional(objectOf(nodeTls)),
};

/** A node of the configuration. */
export type StaticNode = ReadBy<typeof staticNode>;

/**
 * The relay that `/relay/info` describes. `genesisHash` is lower-case hex; `rate` is in atomic units per
 * megabyte.
 */
const relay = {
  address: required(text),
  rate: required(amount),
  genesisHash: required(genesisHash),
};

/** Requests that one client may make in a minute; 0 disables a limit. */
const rateLimit = {
  /** Limit of requests of any kind. */
  requests: withDefault(integer(0, 1_000_000), 600),
  /** Limit of broadcasts and allowlist writes. */
  writes: withDefault(integer(0, 1_000_000), 60),
};

const limits = {
  /** Connections of trusted proxies are not limited. */
  connectionsPerClient: withDefault(integer(0, 1_000_000), 512),
  // This limit is below the number of connections to a node, so that one client cannot occupy all of them.
  requestsPerClient: withDefault(integer(0, 1_000_000), 100),
  /** Limit of event streams. */
  streamsPerClient: withDefault(integer(0, 1_000_000), 16),
};

/** Concurrency limits of one client; 0 disables a limit. */
export type ClientLimitsConfig = ReadBy<typeof limits>;

const metrics = {
  host: withDefault(text, '127.0.0.1'),
  port: required(listenPort),
};

const NOW_FIXED = 'was removed: delete it; its value is fixed (docs/gateway/configuration.md#fixed-values)';
const SEVERAL = '(docs/gateway/running.md#several-gateways)';
const IN_FRONT = 'in front (docs/gateway/running.md#behind-a-proxy)';

/** Fields of earlier versions, by their paths, each with the error message that names its replacement. */
const REMOVED_FIELDS: Readonly<Record<string, string>> = {
  verify_reads:
    'was removed: delete it; wallets compare gateways themselves (otherGateways of the host library)',
  http2: `was removed: delete it; HTTP/2 is spoken by nginx, Caddy or HAProxy ${IN_FRONT}`,
  redirect_port: `was removed: delete it; redirects are sent by nginx, Caddy or HAProxy ${IN_FRONT}`,
  acme_dir: `was removed: delete it; certificates are requested by nginx or Caddy ${IN_FRONT}`,
  static_dir: `was removed: delete it; pages of your own are served by nginx or Caddy ${IN_FRONT}`,
  workers: `was removed: delete it; run several gateways behind nginx, Caddy or HAProxy ${SEVERAL}`,
  redis_url: `was removed: delete it; gateways on one machine can share a state_file ${SEVERAL}`,
  lag: NOW_FIXED,
  hedge_ms: NOW_FIXED,
  breaker: NOW_FIXED,
  timeouts: NOW_FIXED,
  max_answer_bytes: NOW_FIXED,
  'rate_limit.window_seconds':
    'was removed: delete it; limits always apply to one minute, so set the requests per minute',
  'limits.connections': NOW_FIXED,
  'limits.requests': NOW_FIXED,
  'limits.streams': NOW_FIXED,
};

/**
 * Every field of `gateway.json` with its default. A test compares them with the tables in
 * docs/gateway/configuration.md.
 */
export const GATEWAY_FIELDS = {
  /** Host name of the gateway in lower case, without a port. Node hostnames are subdomains of it. */
  gatewayHost: required(hostName),
  /** Other host names and IPv4 addresses that are served like `gatewayHost`. */
  otherHosts: withDefault(listOf(otherHost, MAX_NAMES), []),
  /** `https://host[:port]` of a proxy in front of the gateway. */
  publicUrl: optional(publicUrl),
  /**
   * `private` admits only nodes that the operator admitted; `public` also admits nodes of the chain's
   * registry.
   */
  mode: withDefault(oneOf('private', 'public'), 'private'),
  listenHost: withDefault(text, '127.0.0.1'),
  /** Port to listen on; 0 lets the system choose a free port. */
  listenPort: withDefault(listenPort, 8883),
  tls: optional(tls),
  /** Number of seconds for which browsers must use only HTTPS; 0 omits the header. */
  hstsSeconds: withDefault(integer(0, 63_072_000), 0),
  /** Other origins whose pages may use the chain routes. */
  corsOrigins: withDefault(listOf(origin, MAX_NAMES), []),
  staticNodes: withDefault(listOf(objectOf(staticNode), MAX_NODES), []),
  /** The port of a node whose hostname contains no port. */
  nodePort: withDefault(port, 8884),
  /** Whether nodes of the registry may have addresses that are not public. */
  allowPrivateNodes: withDefault(boolean, false),
  /**
   * Genesis hash, in lower-case hex, of the chain whose nodes get requests. Default: the hash on which the
   * operator's nodes agree.
   */
  genesisHash: optional(genesisHash),
  healthIntervalMs: withDefault(integer(100, HOUR_MS), 5000),
  adminApiKey: required(adminKey),
  /** File for changes of the allowlist. Default: they are kept only in memory. */
  stateFile: optional(text),
  downloadsDir: optional(text),
  releasesDir: optional(text),
  relay: optional(objectOf(relay)),
  /** Whether to serve a faucet, for development networks only. */
  faucet: withDefault(boolean, false),
  /** Whether to serve the wallet page at `/wallet/` and the connect page at `/connect/`. */
  wallet: withDefault(boolean, false),
  rateLimit: withDefault(objectOf(rateLimit, REMOVED_FIELDS), {}),
  limits: withDefault(objectOf(limits, REMOVED_FIELDS), {}),
  /** Addresses or networks of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: withDefault(listOf(network, MAX_NAMES), []),
  /** Memory in bytes for answers that never change; 0 disables the cache. */
  cacheBytes: withDefault(integer(0, 64 * 1024 * MEBIBYTE), 64 * MEBIBYTE),
  /** The listener for Prometheus; by default there is none. */
  metrics: optional(objectOf(metrics)),
};

/** The content of `gateway.json`; paths are absolute after reading. */
export type WrittenConfig = ReadBy<typeof GATEWAY_FIELDS>;

/** Reads `gateway.json`; throws ConfigFaults. */
export const readWrittenConfig = objectOf(GATEWAY_FIELDS, REMOVED_FIELDS);
