import { NODE_ROLES, type NodeRole } from '../base/node-address.js';

interface Parameter {
  name: string;
  in: 'path' | 'query';
  description: string;
  required: boolean;
  schema: { type: string };
}

interface ChainRoute {
  operationId: string;
  summary: string;
  /** The kinds of nodes that serve the route. */
  nodes: readonly NodeRole[];
  parameters?: readonly Parameter[];
  /** The status of success and its meaning, if it is not 200. */
  accepted?: Readonly<Record<number, string>>;
}

const ARCHIVAL = ['archival'] as const;
const FULL = ['full'] as const;

const parameter = (
  place: 'path' | 'query',
  name: string,
  type: 'integer' | 'string',
  description: string,
  required = place === 'path',
): Parameter => ({ name, in: place, description, required, schema: { type } });

const ACCOUNT = [
  parameter('path', 'address', 'string', 'A ZBC_ address in any of its forms, or the wire form in hex'),
  parameter('query', 'height', 'integer', 'Height of the block whose state is returned; archival nodes only'),
];
const RECENT = [parameter('query', 'limit', 'integer', 'Maximum number of results; default 20, at most 100')];
const TRANSACTION = [parameter('path', 'hash', 'string', 'Hash of the transaction, 32 bytes in hex')];

function route(
  operationId: string,
  summary: string,
  nodes: readonly NodeRole[] = NODE_ROLES,
  parameters: readonly Parameter[] = [],
): ChainRoute {
  return { operationId, summary, nodes, parameters };
}

/**
 * The routes of the nodes by method and path. The gateway passes every path below `/api/v1/` on, so this table
 * describes them only in its OpenAPI document. docs/gateway/routes.md has the fields of the responses.
 */
export const CHAIN_ROUTES: Readonly<Record<string, ChainRoute>> = {
  'GET /api/v1/node/info': route('nodeInfo', 'The chain and its height'),
  'GET /api/v1/registry/nodes': route('registeredNodes', "The chain's registry of full nodes"),
  'GET /api/v1/registry/archivals': route('registeredArchivals', "The chain's registry of archival nodes"),
  'GET /api/v1/registry/gateways': route('registeredGateways', "The chain's registry of gateways"),
  'GET /api/v1/registry/relays': route('registeredRelays', "The chain's registry of relays"),
  'GET /api/v1/blockchain/status': route('blockchainStatus', 'Height, confirmed height and the latest block'),
  'GET /api/v1/blocks/latest': route('latestBlock', 'The newest block in full'),
  'GET /api/v1/blocks/{height}': route('block', 'One block in full', NODE_ROLES, [
    parameter('path', 'height', 'integer', 'Height of the block; the genesis block has height 0'),
  ]),
  'GET /api/v1/blocks': route(
    'blocks',
    'Blocks from a height upwards, optionally waiting for the next one',
    NODE_ROLES,
    [
      parameter('query', 'from', 'integer', 'Height of the first block', true),
      parameter('query', 'limit', 'integer', 'Maximum number of blocks; default and maximum 100'),
      parameter('query', 'wait_ms', 'integer', 'Milliseconds to wait for the first block; maximum 10000'),
    ],
  ),
  'GET /api/v1/blockchain/estimate-fee': route('estimateFee', 'Minimum fee of a transaction', FULL, [
    parameter('query', 'type', 'integer', 'The type of the transaction', true),
    parameter('query', 'body_length', 'integer', 'The length of its body in bytes', true),
  ]),
  'GET /api/v1/accounts/{address}': route('account', 'Balance and spendable balance', NODE_ROLES, ACCOUNT),
  'GET /api/v1/accounts/{address}/tokens': route(
    'accountTokens',
    'Tokens held by the account',
    NODE_ROLES,
    ACCOUNT,
  ),
  'GET /api/v1/transactions': route('transactions', 'Recent transactions, newest first', NODE_ROLES, RECENT),
  'POST /api/v1/transactions': {
    ...route('broadcast', 'Broadcast a signed transaction; after 502 or 504, check it', FULL),
    accepted: { 202: 'Accepted', 405: 'The host name belongs to an archival node' },
  },
  'GET /api/v1/transactions/{hash}': route('transaction', 'One transaction in full', NODE_ROLES, TRANSACTION),
  'GET /api/v1/transactions/{hash}/status': route(
    'transactionStatus',
    'Status of a transaction',
    NODE_ROLES,
    TRANSACTION,
  ),
  'GET /api/v1/movements/latest': route(
    'movements',
    'Rewards, unlocks and refunds, newest first',
    ARCHIVAL,
    RECENT,
  ),
  'GET /api/v1/exchange/markets': route('markets', 'Open markets', ARCHIVAL),
  'GET /api/v1/exchange/orderbook': route('orderBook', 'Depth of a market', ARCHIVAL, [
    parameter('query', 'market', 'integer', 'The id of the market, which may be negative', true),
  ]),
  'GET /api/v1/exchange/offers': route('offers', 'Offers to swap packages of tokens', ARCHIVAL),
  'GET /api/v1/tokens': route('tokens', 'Every token with supply and decimals'),
  'GET /api/v1/tokens/{tokenId}': route('token', 'One token', NODE_ROLES, [
    parameter('path', 'tokenId', 'integer', 'Id of the token; may be negative'),
  ]),
  'GET /api/v1/release/list': route('releases', 'Published releases, newest first', ARCHIVAL),
};
