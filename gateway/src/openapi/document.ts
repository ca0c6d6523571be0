import { ACCOUNT_PATHS, ACCOUNT_SCHEMAS } from './accounts.js';
import { ADMIN_PATHS } from './admin.js';
import { ALLOWLIST_PATHS } from './allowlist.js';
import { BLOCK_PATHS, BLOCK_SCHEMAS } from './blocks.js';
import { GATEWAY_PATHS, GATEWAY_SCHEMAS } from './gateway.js';
import { MARKET_PATHS, MARKET_SCHEMAS } from './markets.js';
import { NODE_PATHS, NODE_SCHEMAS } from './node.js';
import type { Paths } from './operation.js';
import { RELEASE_PATHS, RELEASE_SCHEMAS } from './releases.js';
import type { Schema } from './schema.js';
import { TRANSACTION_PATHS, TRANSACTION_SCHEMAS } from './transactions.js';

interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: readonly object[];
  security: readonly object[];
  paths: Paths;
  components: { schemas: Readonly<Record<string, Schema>>; securitySchemes: object };
}

const DESCRIPTION = `The chain's routes under /api/v1/, which are proxied to nodes, and the gateway's own
routes. Amounts are integers of atomic units, 10^8 for one coin, and ids exceed 2^53: parse all digits of JSON
integers.
HEAD is supported where GET is. Other methods of chain routes return 405, unknown routes 404.
All errors have the body Error.
x-nodes lists the kinds of nodes that have a route: GET asks an archival node first, and a full node if that
returns 404 with an empty body; if the archival node fails and the full node returns such a 404, the response
is the failure. POST goes only to full nodes.`;

const SERVERS = [
  { url: '/', description: 'This gateway' },
  {
    url: 'https://ip-{node}.{gateway_host}',
    description: 'One node of the allowlist: only the routes under /api/v1/',
    variables: {
      node: {
        default: '127-0-0-1',
        description: 'The IPv4 address with dashes for dots, then -p and the port unless it is the default',
      },
      gateway_host: { default: 'localhost' },
    },
  },
];

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'admin_api_key of gateway.json' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key' },
};

const PATHS: Paths = {
  ...NODE_PATHS,
  ...BLOCK_PATHS,
  ...ACCOUNT_PATHS,
  ...TRANSACTION_PATHS,
  ...MARKET_PATHS,
  ...RELEASE_PATHS,
  ...GATEWAY_PATHS,
  ...ALLOWLIST_PATHS,
  ...ADMIN_PATHS,
};

const SCHEMAS = {
  ...GATEWAY_SCHEMAS,
  ...NODE_SCHEMAS,
  ...BLOCK_SCHEMAS,
  ...ACCOUNT_SCHEMAS,
  ...TRANSACTION_SCHEMAS,
  ...MARKET_SCHEMAS,
  ...RELEASE_SCHEMAS,
};

/** The OpenAPI document of a gateway of this version. */
export function describeGateway(version: string): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'ZBC gateway', version, description: DESCRIPTION },
    servers: SERVERS,
    security: [],
    paths: PATHS,
    components: { schemas: SCHEMAS, securitySchemes: SECURITY_SCHEMES },
  };
}
