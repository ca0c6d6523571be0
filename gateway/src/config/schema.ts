import { type Static, Type } from 'typebox';
import { NODE_ROLES } from '../base/node-address.js';
import type { FormatName } from '../base/validation.js';

const MAX_NODES = 256;
const MAX_NAMES = 64;
const HOUR_MS = 3_600_000;
const MAX_HSTS_SECONDS = 63_072_000;
const MAX_PER_MINUTE = 1_000_000;

const text = (format: FormatName) => Type.String({ format });
const path = Type.Optional(text('text'));
const flag = Type.Boolean({ default: false });
const integer = (minimum: number, maximum: number, fallback: number) =>
  Type.Integer({ minimum, maximum, default: fallback });
const names = (format: FormatName) => Type.Array(text(format), { maxItems: MAX_NAMES, default: [] });
const closed = { additionalProperties: false };

const STATIC_NODE = Type.Object(
  {
    url: text('node-url'),
    role: Type.Enum([...NODE_ROLES], { default: 'full' }),
    /** PEM file; no other issuer is trusted for this node. */
    ca_file: path,
  },
  closed,
);

/**
 * The schema of `gateway.json`. docs/gateway/configuration.md describes every field; a test compares the page with
 * this schema.
 */
export const CONFIG_SCHEMA = Type.Object(
  {
    /** Node hostnames are subdomains of it. */
    gateway_host: text('domain'),
    other_hosts: names('host'),
    public_url: Type.Optional(text('public-url')),
    listen: Type.String({ format: 'listen', default: '127.0.0.1:8883' }),
    tls: Type.Optional(Type.Object({ cert_file: text('text'), key_file: text('text') }, closed)),
    hsts_seconds: integer(0, MAX_HSTS_SECONDS, 0),
    cors_origins: names('web-origin'),
    trusted_proxies: names('network'),
    mode: Type.Enum(['private', 'public'], { default: 'private' }),
    static_nodes: Type.Array(STATIC_NODE, { maxItems: MAX_NODES, default: [] }),
    allow_private_nodes: flag,
    genesis_hash: Type.Optional(text('genesis')),
    health_interval_ms: integer(100, HOUR_MS, 5000),
    admin_api_key: text('key'),
    state_file: path,
    downloads_dir: path,
    releases_dir: path,
    relay: Type.Optional(
      Type.Object(
        { address: text('text'), rate: Type.Unsafe<bigint>({ atoms: true }), genesis_hash: text('genesis') },
        closed,
      ),
    ),
    faucet: flag,
    wallet: flag,
    rate_limit: Type.Object(
      { requests: integer(0, MAX_PER_MINUTE, 600), writes: integer(0, MAX_PER_MINUTE, 60) },
      { ...closed, default: {} },
    ),
    metrics_listen: Type.Optional(text('listen')),
  },
  closed,
);

/** The content of `gateway.json`, with defaults. */
export type WrittenConfig = Static<typeof CONFIG_SCHEMA>;
