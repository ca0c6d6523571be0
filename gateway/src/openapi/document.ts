import type { NodeRole } from '../base/node-address.js';
import {
  AT_HEIGHT,
  ATOMS,
  BUNDLE,
  COUNT,
  described,
  FLAG,
  HASH,
  HOLDER,
  INT64,
  IPV4,
  listOf,
  NODE,
  oneOf,
  PORT,
  record,
  ref,
  SCHEMAS,
  type Schema,
  SECONDS,
  SHA256,
  STAGE,
  SUCCESS,
  TEXT,
  TOKEN_ID,
  UINT64,
} from './schemas.js';

interface Parameter {
  name: string;
  in: 'path' | 'query';
  description: string;
  required: boolean;
  schema: Schema;
}

interface Answer {
  description: string;
  content?: Readonly<Record<string, { schema: Schema }>>;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: { required: boolean; content: Answer['content'] };
  /** Responses by status. */
  responses: Readonly<Record<string, Answer>>;
  security?: readonly object[];
  /** The kinds of nodes that serve a chain route. */
  'x-nodes'?: readonly NodeRole[];
}

/** Operations by path, then by lower-case method. */
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The details of a route. For an error status, a text is enough: the description of the response. */
interface Details extends Pick<Operation, 'description' | 'parameters' | 'requestBody'> {
  [status: number]: Answer | string;
}

/** Properties that the routes of one kind share. */
interface Kind {
  errors: Readonly<Record<number, string>>;
  security?: readonly object[];
  'x-nodes'?: readonly NodeRole[];
}

const OWN: Kind = {
  errors: {
    400: 'Malformed request or invalid parameter',
    403: 'The host name belongs neither to this gateway nor to a node on the allowlist',
    414: 'The path is too long',
    429: 'The rate limit of the client is exceeded; see Retry-After',
    500: 'Internal error of the gateway',
  },
};
const ADMIN: Kind = {
  errors: { ...OWN.errors, 401: 'Missing or invalid admin key' },
  security: [{ bearer: [] }, { apiKey: [] }],
};
/** The gateway's own routes that read from nodes. */
const READING: Kind = {
  errors: {
    ...OWN.errors,
    502: 'The nodes closed the connection or sent an invalid response',
    503: 'No node is available, or the node is overloaded',
    504: 'The nodes did not respond in time',
  },
};
/** Routes that are proxied to both kinds of nodes. */
const EVERY_NODE: Kind = { ...READING, 'x-nodes': ['archival', 'full'] };
const ARCHIVAL: Kind = { ...READING, 'x-nodes': ['archival'] };
const FULL: Kind = { ...READING, 'x-nodes': ['full'] };

const BODY_ERRORS = {
  413: 'The body is larger than 65536 bytes',
  415: 'The body is not application/json',
};

const of = (type: string, description: string, schema: Schema): Answer => ({
  description,
  content: { [type]: { schema } },
});
const json = (description: string, schema: Schema) => of('application/json', description, schema);
const file = (description: string, type: string) => of(type, description, TEXT);

function operation(kind: Kind, operationId: string, summary: string, details: Details): Operation {
  const { description, parameters, requestBody, ...answers } = details;
  const told = Object.entries({ description, parameters, requestBody });
  const { errors, ...common } = kind;
  const all: Record<string, Answer | string> = { ...errors, ...(requestBody && BODY_ERRORS), ...answers };
  const responses = Object.entries(all).map(([status, answer]) => [
    status,
    typeof answer === 'string' ? json(answer, ref('Error')) : answer,
  ]);
  return {
    operationId,
    summary,
    ...Object.fromEntries(told.filter(([, value]) => value !== undefined)),
    responses: Object.fromEntries(responses),
    ...common,
  };
}

const get = (...route: Parameters<typeof operation>) => ({ get: operation(...route) });
const post = (...route: Parameters<typeof operation>) => ({ post: operation(...route) });

const parameter =
  (place: Parameter['in']) =>
  (name: string, schema: Schema, description: string, required = place === 'path'): Parameter => ({
    name,
    in: place,
    description,
    required,
    schema,
  });
const inPath = parameter('path');
const inQuery = parameter('query');
const body = (schema: Schema, required = true) => ({
  required,
  content: { 'application/json': { schema } },
});

const ACCOUNT = [
  inPath('address', TEXT, 'A ZBC_ address in any of its forms, or the wire form in hex'),
  inQuery('height', UINT64, 'Height of the block whose state is returned; archival nodes only'),
];
const NO_ACCOUNT = 'The account never received a payment';
const RECENT = [inQuery('limit', COUNT, 'Maximum number of results; default 20, at most 100')];
const TRANSACTION = [inPath('hash', HASH, 'Hash of the transaction')];
const NO_RELEASES = 'This gateway has no releases';
const NO_FAUCET = 'Not a development gateway';
const NO_WALLET = 'The gateway serves no wallet';
const SEGMENT = { type: 'string', pattern: '^[A-Za-z0-9._-]+$' };
const ATTACHMENT = {
  200: file('The file, as an attachment', 'application/octet-stream'),
  206: file('The requested range', 'application/octet-stream'),
  304: { description: 'Not modified' },
  404: 'No such file',
  416: 'The range is outside the file',
};
const ALLOWLIST = { allowlist: listOf(ref('AdmittedNode')) };
const ENTRY = { ip: IPV4, 'port?': described("Default: the gateway's node_port", PORT) };

const registry = (kind: string, entry: string) =>
  get(EVERY_NODE, `registered${kind[0]!.toUpperCase()}${kind.slice(1)}`, `The chain's registry of ${kind}`, {
    description: 'Entries are written by their registrants and not validated.',
    200: json('The registered entries', record({ [kind]: listOf(ref(entry)) })),
  });

/** A route that changes one node of the allowlist. */
const change = (name: string, summary: string, description: string, outcome: Record<string, Schema>) =>
  post(ADMIN, `${name}Node`, summary, {
    requestBody: body(record(ENTRY)),
    200: changed(description, outcome),
    404: 'The node is not on the allowlist',
  });

/** The response to a change of one node: its outcome and the whole list. */
const changed = (description: string, outcome: Readonly<Record<string, Schema>>) =>
  json(description, record({ success: SUCCESS, ...outcome, ...ALLOWLIST }));

const PATHS: Paths = {
  '/api/v1/node/info': get(EVERY_NODE, 'nodeInfo', 'The chain and its height', {
    200: json('Information about the node', ref('NodeInfo')),
  }),
  '/api/v1/registry/nodes': registry('nodes', 'RegisteredNode'),
  '/api/v1/registry/archivals': registry('archivals', 'RegisteredNode'),
  '/api/v1/registry/gateways': registry('gateways', 'RegisteredGateway'),
  '/api/v1/registry/relays': registry('relays', 'RegisteredRelay'),
  '/api/v1/blockchain/status': get(
    EVERY_NODE,
    'blockchainStatus',
    'Height, confirmed height and the latest block',
    {
      200: json(
        'The state of the chain',
        record({ height: UINT64, confirmed_height: UINT64, latest_block: ref('BlockHeader') }),
      ),
    },
  ),
  '/api/v1/blocks/latest': get(EVERY_NODE, 'latestBlock', 'The newest block in full', {
    200: json('The block', ref('Block')),
  }),
  '/api/v1/blocks/{height}': get(EVERY_NODE, 'block', 'One block in full', {
    parameters: [inPath('height', UINT64, 'Height of the block; the genesis block has height 0')],
    200: json('The block', ref('Block')),
    404: 'No block at this height',
  }),
  '/api/v1/blocks': get(
    EVERY_NODE,
    'blocks',
    'Blocks from a height upwards, optionally waiting for the next one',
    {
      description:
        'If Accept is exactly text/event-stream, the gateway sends the heads of new blocks as events.',
      parameters: [
        inQuery('from', UINT64, 'Height of the first block', true),
        inQuery('limit', COUNT, 'Maximum number of blocks; default and maximum 100'),
        inQuery('wait_ms', COUNT, 'Milliseconds to wait for the first block; default 0, maximum 10000'),
      ],
      200: json('The blocks; empty if there is no such block yet', record({ blocks: listOf(ref('Block')) })),
    },
  ),
  '/api/v1/blockchain/estimate-fee': get(FULL, 'estimateFee', 'Minimum fee of a transaction', {
    parameters: [
      inQuery('type', COUNT, 'The type of the transaction', true),
      inQuery('body_length', COUNT, 'The length of its body in bytes', true),
    ],
    200: json('The fee', record({ minimum_fee: ATOMS, timestamp: SECONDS })),
  }),
  '/api/v1/accounts/{address}': get(EVERY_NODE, 'account', 'Balance and spendable balance', {
    parameters: ACCOUNT,
    200: json('The account', ref('Account')),
    404: NO_ACCOUNT,
  }),
  '/api/v1/accounts/{address}/tokens': get(EVERY_NODE, 'accountTokens', 'Tokens held by the account', {
    parameters: ACCOUNT,
    200: json('The tokens', record({ ...HOLDER, tokens: listOf(ref('TokenBalance')), ...AT_HEIGHT })),
    404: NO_ACCOUNT,
  }),
  '/api/v1/transactions': {
    ...get(EVERY_NODE, 'transactions', 'Recent transactions, newest first', {
      parameters: RECENT,
      200: json('The transactions', record({ transactions: listOf(ref('Transaction')) })),
    }),
    ...post(FULL, 'broadcast', 'Broadcast a signed transaction', {
      description:
        'The node rebuilds the signed bytes from these fields. After 502 or 504, check the transaction.',
      requestBody: body(ref('Broadcast')),
      202: json(
        'Accepted',
        record({
          status: oneOf('success'),
          duplicate: described('Whether the node already had the transaction', FLAG),
          transaction_hash: HASH,
        }),
      ),
      405: 'The host name belongs to an archival node',
    }),
  },
  '/api/v1/transactions/{hash}': get(EVERY_NODE, 'transaction', 'One transaction in full', {
    parameters: TRANSACTION,
    200: json('The transaction', ref('Transaction')),
    404: 'Unknown transaction',
  }),
  '/api/v1/transactions/{hash}/status': get(EVERY_NODE, 'transactionStatus', 'Status of a transaction', {
    description: 'If Accept is exactly text/event-stream, each change of the status is sent as an event.',
    parameters: TRANSACTION,
    200: json(
      'The status',
      record({
        transaction_hash: HASH,
        ...STAGE,
        'mempool_position?': described('Position in the mempool; 1 is confirmed next', COUNT),
      }),
    ),
    404: 'Unknown transaction',
  }),
  '/api/v1/movements/latest': get(ARCHIVAL, 'movements', 'Rewards, unlocks and refunds, newest first', {
    parameters: RECENT,
    200: json('The movements', record({ movements: listOf(ref('Movement')) })),
  }),
  '/api/v1/exchange/markets': get(ARCHIVAL, 'markets', 'Open markets', {
    200: json('The markets', record({ markets: listOf(ref('Market')) })),
  }),
  '/api/v1/exchange/orderbook': get(ARCHIVAL, 'orderBook', 'Depth of a market', {
    parameters: [inQuery('market', INT64, 'The id of the market, which may be negative', true)],
    200: json('Both sides', ref('OrderBook')),
    404: 'No such market',
  }),
  '/api/v1/exchange/offers': get(
    ARCHIVAL,
    'offers',
    'Offers to swap one package of tokens for another, as a whole',
    {
      200: json('The offers', record({ offers: listOf(ref('Offer')) })),
    },
  ),
  '/api/v1/tokens': get(EVERY_NODE, 'tokens', 'Every token with supply and decimals', {
    200: json('The tokens', record({ tokens: listOf(ref('Token')) })),
  }),
  '/api/v1/tokens/{tokenId}': get(EVERY_NODE, 'token', 'One token', {
    parameters: [inPath('tokenId', INT64, 'Id of the token; may be negative')],
    200: json('The token', ref('Token')),
    404: 'No such token',
  }),
  '/api/v1/release/list': get(
    ARCHIVAL,
    'releases',
    'Published releases and the hashes of their files, newest first',
    { 200: json('The releases', record({ releases: listOf(ref('Release')) })) },
  ),
  '/dl/{name}': get(OWN, 'download', 'A file published by the operator', {
    parameters: [inPath('name', SEGMENT, 'Name of the file, which is one path segment')],
    ...ATTACHMENT,
  }),
  '/releases/latest': get(OWN, 'latestRelease', 'The latest release that this gateway serves', {
    200: json(
      'The bundles of the release',
      record({ version: TEXT, files: listOf(record({ ...BUNDLE, url: TEXT, sha256: SHA256 })) }),
    ),
    404: NO_RELEASES,
  }),
  '/releases/{version}/{arch}/': get(OWN, 'releaseBundle', 'The bundle of a release for one architecture', {
    parameters: [
      inPath('version', SEGMENT, 'For example 1.0.0'),
      inPath('arch', SEGMENT, 'For example linux-amd64'),
    ],
    ...ATTACHMENT,
  }),
  '/install': get(OWN, 'installer', 'A script that downloads, verifies and unpacks the latest release', {
    200: file('The script', 'text/x-shellscript'),
    404: NO_RELEASES,
  }),
  '/verify': get(READING, 'verify', 'Whether the chain publishes a file with this hash', {
    description: 'Without a hash, browsers get a page that computes the hash of a file.',
    parameters: [inQuery('sha256', HASH, 'SHA-256 of the file')],
    200: {
      description: 'The published file with this hash, or the page',
      content: {
        'application/json': {
          schema: record({
            sha256: SHA256,
            published: FLAG,
            'release?': record({ version: TEXT, ...BUNDLE, released_at: SECONDS }),
          }),
        },
        'text/html': { schema: TEXT },
      },
    },
  }),
  '/gateway/status': get(OWN, 'gatewayStatus', 'Status of the gateway and its nodes, without chain data', {
    200: json(
      'The gateway',
      record({
        mode: oneOf('public', 'private'),
        domain: TEXT,
        version: TEXT,
        uptime_seconds: UINT64,
        allowlisted: COUNT,
        answering: COUNT,
        nodes: listOf(
          record({ ...NODE, routed: described('Whether requests go to the node', FLAG), cordoned: FLAG }),
        ),
      }),
    ),
  }),
  '/gateway/health/live': get(OWN, 'live', 'Whether the process answers', {
    200: json('The process answers', record({ live: FLAG })),
  }),
  '/gateway/health/ready': get(OWN, 'ready', 'Whether any node can answer requests', {
    200: json('At least one node can answer requests', record({ ready: FLAG })),
    503: 'No node is available; see Retry-After',
  }),
  '/gateway/system-stats': get(OWN, 'systemStats', 'CPU, memory, disk and uptime of the machine', {
    200: json('The machine', ref('SystemStats')),
  }),
  '/relay/info': get(OWN, 'relayInfo', 'The relay of this gateway', {
    description: 'Compare genesis_hash with that of your own node before you pay.',
    200: json(
      'The relay',
      record({ address: TEXT, rate: described('Atomic units per megabyte', UINT64), genesis_hash: HASH }),
    ),
    404: 'This gateway has no relay',
  }),
  '/openapi.json': get(OWN, 'openapi', 'This document', { 200: json('OpenAPI 3.1', { type: 'object' }) }),
  '/faucet': {
    ...get(READING, 'faucetPage', 'Faucet page of a development network', {
      200: file('The page', 'text/html'),
      404: NO_FAUCET,
    }),
    ...post(READING, 'faucet', 'Send coins and tokens of a development network to an address', {
      requestBody: body(record({ address: TEXT })),
      200: json(
        'The coins and tokens were sent, and are confirmed in a block',
        record({
          success: SUCCESS,
          amount: ATOMS,
          transaction_hash: HASH,
          tokens: listOf(record({ token_id: TOKEN_ID, amount: ATOMS, transaction_hash: HASH })),
          block_height: UINT64,
        }),
      ),
      404: NO_FAUCET,
    }),
  },
  '/wallet': get(OWN, 'walletRedirect', 'Redirects to the wallet page', {
    308: { description: 'To /wallet/' },
    404: NO_WALLET,
  }),
  '/wallet/': get(OWN, 'walletPage', 'The wallet page', {
    200: file('The page', 'text/html'),
    304: { description: 'The page has not changed' },
    404: NO_WALLET,
  }),
  '/connect': get(OWN, 'connectRedirect', 'Redirects to the connect page', {
    308: { description: 'To /connect/' },
    404: NO_WALLET,
  }),
  '/connect/': get(OWN, 'connectPage', 'The connect page', {
    200: file('The page', 'text/html'),
    304: { description: 'The page has not changed' },
    404: NO_WALLET,
  }),
  '/gateway/allowlist': get(OWN, 'allowlist', 'List admitted nodes', {
    200: json('The nodes', record(ALLOWLIST)),
  }),
  '/gateway/allowlist/add': post(ADMIN, 'addNode', 'Admit a node', {
    requestBody: body(record({ ...ENTRY, 'role?': oneOf('full', 'archival') })),
    200: changed('Admitted and checked', {
      added: described('False if the node was already admitted', FLAG),
    }),
    409: 'The node is listed with another role',
  }),
  '/gateway/allowlist/remove': post(
    ADMIN,
    'removeNode',
    'Remove a node, whether configuration, administrator or registry listed it',
    {
      requestBody: body(record(ENTRY)),
      200: changed('Removed', { removed: described('False if the node was not admitted', FLAG) }),
    },
  ),
  '/gateway/allowlist/cordon': change('cordon', 'Stop sending requests to a node', 'Cordoned', {
    cordoned: described('False if the node was already cordoned', FLAG),
  }),
  '/gateway/allowlist/uncordon': change(
    'uncordon',
    'Send a cordoned node requests again',
    'The node is no longer cordoned',
    { uncordoned: described('False if the node was not cordoned', FLAG) },
  ),
  '/gateway/allowlist/drain': change(
    'drain',
    'Cordon a node and wait until its requests have ended',
    'Cordoned',
    {
      drained: described('Whether all requests have ended; false if some still run after 20 seconds', FLAG),
      running: described('Number of requests that still run', COUNT),
    },
  ),
  '/gateway/allowlist/refresh': post(ADMIN, 'refreshNodes', 'Reload the registry and check every node', {
    requestBody: body({}, false),
    200: changed('Checked', {}),
  }),
  '/admin': get(ADMIN, 'adminPage', 'The admin page', { 200: file('The page', 'text/html') }),
  '/admin/state': get(ADMIN, 'adminState', 'Data of the admin page', {
    200: json('Gateway, nodes, traffic and machine', ref('AdminState')),
  }),
  '/admin/reload': post(ADMIN, 'reload', 'Read the configuration again', {
    requestBody: body({}, false),
    200: json('The new configuration is in force', record({ success: SUCCESS })),
    409: 'The new configuration is invalid or requires a restart; the old one stays in force',
  }),
};

const DESCRIPTION = `The chain's routes under /api/v1/, which are proxied to nodes, and the gateway's own
routes. Amounts are integers of atomic units, 10^8 for one coin, and ids exceed 2^53: parse all digits of JSON
integers.
HEAD is supported where GET is. Other methods of chain routes return 405; unknown routes return 404.
The body of every error response is an Error.
x-nodes lists the kinds of nodes that have a route. A GET goes to an archival node first, and to a full node if that
returns 404 with an empty body. If the archival node fails and the full node returns an empty 404, the response
is the failure. A POST goes only to full nodes.`;

const SERVERS = [
  { url: '/', description: 'This gateway' },
  {
    url: 'https://ip-{node}.{gateway_host}',
    description: 'One node of the allowlist: only the routes under /api/v1/',
    variables: {
      node: {
        default: '127-0-0-1',
        description:
          'The IPv4 address with dashes instead of dots, then -p and the port unless it is the default port',
      },
      gateway_host: { default: 'localhost' },
    },
  },
];

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'admin_api_key of gateway.json' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key' },
};

/** Returns the OpenAPI document of a gateway of this version. */
export function describeGateway(version: string) {
  return {
    openapi: '3.1.0',
    info: { title: 'ZBC gateway', version, description: DESCRIPTION },
    servers: SERVERS,
    security: [],
    paths: PATHS,
    components: { schemas: SCHEMAS, securitySchemes: SECURITY_SCHEMES },
  };
}
