import { NODE_ROLES } from '../base/node-address.js';
import { listOf, objectOf, optional, type ReadBy, required, withDefault } from './reader.js';
import {
  adminKey,
  amount,
  boolean,
  genesisHash,
  hostName,
  integer,
  listenPort,
  network,
  nodeUrl,
  oneOf,
  origin,
  otherHost,
  port,
  publicUrl,
  text,
} from './values.js';

/** Certificate, with its chain, and key in PEM files. */
const tls = { certFile: required(text), keyFile: required(text) };

const MAX_NODES = 256;
const MAX_NAMES = 64;
const HOUR_MS = 3_600_000;

const staticNode = {
  url: required(nodeUrl),
  role: withDefault(oneOf(...NODE_ROLES), 'full'),
  /** PEM file; no other issuer is trusted for this node. */
  caFile: optional(text),
};

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
};

/** Concurrency limits of one client; 0 disables a limit. */
export type ClientLimitsConfig = ReadBy<typeof limits>;

const metrics = {
  host: withDefault(text, '127.0.0.1'),
  port: required(listenPort),
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
  tls: optional(objectOf(tls)),
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
  rateLimit: withDefault(objectOf(rateLimit), {}),
  limits: withDefault(objectOf(limits), {}),
  /** Addresses or networks of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: withDefault(listOf(network, MAX_NAMES), []),
  /** The listener for Prometheus; by default there is none. */
  metrics: optional(objectOf(metrics)),
};

/** The content of `gateway.json`; paths are absolute after reading. */
export type WrittenConfig = ReadBy<typeof GATEWAY_FIELDS>;

/** Reads `gateway.json`; throws ConfigFaults. */
export const readWrittenConfig = objectOf(GATEWAY_FIELDS);
