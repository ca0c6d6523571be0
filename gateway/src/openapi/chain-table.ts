import { NODE_ROLES, type NodeRole } from '../base/node-address.js';

/** Parameters of the chain routes, each with its type and meaning. Those in the path are required. */
const PARAMETERS: Readonly<Record<string, readonly [type: 'integer' | 'string', description: string]>> = {
  address: ['string', 'A ZBC_ address in any of its forms, or the wire form in hex'],
  body_length: ['integer', 'The length of its body in bytes'],
  from: ['integer', 'Height of the first block'],
  hash: ['string', 'Hash of the transaction, 32 bytes in hex'],
  height: ['integer', 'Height of a block; in a query, of the block whose state an archival node returns'],
  limit: ['integer', 'Maximum number of results; at most 100'],
  market: ['integer', 'The id of the market, which may be negative'],
  tokenId: ['integer', 'Id of the token; may be negative'],
  type: ['integer', 'The type of the transaction'],
  wait_ms: ['integer', 'Milliseconds to wait for the first block; maximum 10000'],
};
const REQUIRED = ['body_length', 'from', 'market', 'type'];

/** The operation id, the summary, the kinds of nodes that serve the route, and the parameters of its query. */
type ChainRoute = readonly [id: string, summary: string, nodes: readonly NodeRole[], ...query: string[]];

const ARCHIVAL = ['archival'] as const;
const FULL = ['full'] as const;

/**
 * The routes of the nodes by method and path. The gateway passes every path below `/api/v1/` on, so this table
 * describes them only in its OpenAPI document. docs/gateway/routes.md has the fields of the responses.
 */
const CHAIN_ROUTES: Readonly<Record<string, ChainRoute>> = {
  'GET /api/v1/node/info': ['nodeInfo', 'The chain and its height', NODE_ROLES],
  'GET /api/v1/registry/nodes': ['registeredNodes', 'The registered full nodes', NODE_ROLES],
  'GET /api/v1/registry/archivals': ['registeredArchivals', 'The registered archival nodes', NODE_ROLES],
  'GET /api/v1/registry/gateways': ['registeredGateways', 'The registered gateways', NODE_ROLES],
  'GET /api/v1/registry/relays': ['registeredRelays', 'The registered relays', NODE_ROLES],
  'GET /api/v1/blockchain/status': ['blockchainStatus', 'Heights and the latest block', NODE_ROLES],
  'GET /api/v1/blocks/latest': ['latestBlock', 'The newest block in full', NODE_ROLES],
  'GET /api/v1/blocks/{height}': ['block', 'One block in full', NODE_ROLES],
  'GET /api/v1/blocks': ['blocks', 'Blocks from a height upwards', NODE_ROLES, 'from', 'limit', 'wait_ms'],
  'GET /api/v1/blockchain/estimate-fee': ['estimateFee', 'Minimum fee', FULL, 'type', 'body_length'],
  'GET /api/v1/accounts/{address}': ['account', 'Balance and spendable balance', NODE_ROLES, 'height'],
  'GET /api/v1/accounts/{address}/tokens': ['accountTokens', 'Tokens of the account', NODE_ROLES, 'height'],
  'GET /api/v1/transactions': ['transactions', 'Recent transactions, newest first', NODE_ROLES, 'limit'],
  'POST /api/v1/transactions': ['broadcast', 'Broadcast a transaction; after 502 or 504, check it', FULL],
  'GET /api/v1/transactions/{hash}': ['transaction', 'One transaction in full', NODE_ROLES],
  'GET /api/v1/transactions/{hash}/status': ['transactionStatus', 'Status of a transaction', NODE_ROLES],
  'GET /api/v1/movements/latest': ['movements', 'Rewards, unlocks and refunds', ARCHIVAL, 'limit'],
  'GET /api/v1/exchange/markets': ['markets', 'Open markets', ARCHIVAL],
  'GET /api/v1/exchange/orderbook': ['orderBook', 'Depth of a market', ARCHIVAL, 'market'],
  'GET /api/v1/exchange/offers': ['offers', 'Offers to swap packages of tokens', ARCHIVAL],
  'GET /api/v1/tokens': ['tokens', 'Every token with supply and decimals', NODE_ROLES],
  'GET /api/v1/tokens/{tokenId}': ['token', 'One token', NODE_ROLES],
  'GET /api/v1/release/list': ['releases', 'Published releases, newest first', ARCHIVAL],
};

const json = (schema: object, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});
const ERROR_ANSWER = json({ $ref: '#/components/schemas/Error' }, 'An error');

/** The paths of the nodes' routes, as in an OpenAPI document. */
export function chainPaths(): Record<string, object> {
  const paths: Record<string, object> = {};
  for (const [name, [operationId, summary, nodes, ...query]] of Object.entries(CHAIN_ROUTES)) {
    const [method = '', path = ''] = name.split(' ');
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!);
    const parameters = [
      ...inPath.map(parameter => describeParameter(parameter, 'path')),
      ...query.map(parameter => describeParameter(parameter, 'query')),
    ];
    const success = { [method === 'POST' ? 202 : 200]: json({}, 'The answer of the node') };
    const responses = { ...success, default: ERROR_ANSWER };
    const operation = { operationId, summary, parameters, responses, 'x-nodes': nodes };
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  return paths;
}

function describeParameter(name: string, place: 'path' | 'query') {
  const [type, description] = PARAMETERS[name]!;
  const required = place === 'path' || REQUIRED.includes(name);
  return { name, in: place, required, description, schema: { type } };
}
