import type { Paths } from './operation.js';
import { ACCOUNT_PATHS, ACCOUNT_SCHEMAS } from './resources/accounts.js';
import { ADMIN_PATHS } from './resources/admin.js';
import { ALLOWLIST_PATHS } from './resources/allowlist.js';
import { BLOCK_PATHS, BLOCK_SCHEMAS } from './resources/blocks.js';
import { EXCHANGE_PATHS, EXCHANGE_SCHEMAS } from './resources/exchange.js';
import { FAUCET_PATHS } from './resources/faucet.js';
import { GATEWAY_PATHS, GATEWAY_SCHEMAS } from './resources/gateway.js';
import { MOVEMENT_PATHS, MOVEMENT_SCHEMAS } from './resources/movements.js';
import { NODE_PATHS, NODE_SCHEMAS } from './resources/node.js';
import { REGISTRY_PATHS, REGISTRY_SCHEMAS } from './resources/registry.js';
import { RELEASE_PATHS, RELEASE_SCHEMAS } from './resources/releases.js';
import { TOKEN_PATHS, TOKEN_SCHEMAS } from './resources/tokens.js';
import { TRANSACTION_PATHS, TRANSACTION_SCHEMAS } from './resources/transactions.js';
import type { Schema } from './schema.js';

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: readonly object[];
  security: readonly object[];
  paths: Paths;
  components: { schemas: Readonly<Record<string, Schema>>; securitySchemes: object };
}

const DESCRIPTION = `The chain's routes under /api/v1/, which are proxied to nodes, and the gateway's own.
Amounts are integers of atomic units, 10^8 for one coin, and ids go past 2^53: read JSON without losing digits.
HEAD works wherever GET does. Another method of a chain route is answered 405, an unknown route 404, both with the body Error.
x-nodes names the kinds of nodes that have a route: GET asks an archival node first and a full node when that answers 404 with an empty body; when the archival node fails and the full node answers so too, the failure is the answer. POST goes to full nodes alone.`;

const SERVERS = [
  { url: '/', description: 'This gateway' },
  {
    url: 'https://ip-{node}.{gateway_host}',
    description: 'One node of the allowlist, by itself: the routes under /api/v1/ alone',
    variables: {
      node: {
        default: '127-0-0-1',
        description: 'The IPv4 address with dashes for its dots, and -p and the port if it has to be named',
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
  ...MOVEMENT_PATHS,
  ...TOKEN_PATHS,
  ...EXCHANGE_PATHS,
  ...REGISTRY_PATHS,
  ...RELEASE_PATHS,
  ...GATEWAY_PATHS,
  ...ALLOWLIST_PATHS,
  ...ADMIN_PATHS,
  ...FAUCET_PATHS,
};

const SCHEMAS = {
  ...GATEWAY_SCHEMAS,
  ...NODE_SCHEMAS,
  ...BLOCK_SCHEMAS,
  ...ACCOUNT_SCHEMAS,
  ...TRANSACTION_SCHEMAS,
  ...MOVEMENT_SCHEMAS,
  ...TOKEN_SCHEMAS,
  ...EXCHANGE_SCHEMAS,
  ...REGISTRY_SCHEMAS,
  ...RELEASE_SCHEMAS,
};

/** Every route of a gateway of this version, for programs that make clients and for readers. */
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
