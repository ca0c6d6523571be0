/** A JSON Schema of draft 2020-12, as in OpenAPI 3.1. */
type Schema = Readonly<Record<string, unknown>>;

/** Returns the schema of an object with these fields. A field is optional if its name ends in `?`. */
function record(fields: Readonly<Record<string, Schema>>): Schema {
  const names = Object.keys(fields);
  const plain = (name: string) => name.replace(/\?$/, '');
  return {
    type: 'object',
    required: names.filter(name => !name.endsWith('?')),
    properties: Object.fromEntries(names.map(name => [plain(name), fields[name]])),
  };
}

const listOf = (items: Schema): Schema => ({ type: 'array', items });

const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const TEXT: Schema = { type: 'string' };
const FLAG: Schema = { type: 'boolean' };
const INT64: Schema = { type: 'integer', format: 'int64' };
const UINT64: Schema = { type: 'integer', format: 'uint64', minimum: 0 };
const COUNT: Schema = { type: 'integer', format: 'int32', minimum: 0 };
const PORT: Schema = { type: 'integer', format: 'int32', minimum: 1, maximum: 65_535 };
const HASH: Schema = { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' };
const HEX: Schema = { type: 'string', pattern: '^([0-9A-Fa-f]{2})*$' };
const IPV4: Schema = { type: 'string', format: 'ipv4' };

/** The account that holds a balance. */
const HOLDER = {
  address: TEXT,
  account_hex: HEX,
};

/** An account's balances of the coin or of one token. */
const BALANCES = {
  balance: UINT64,
  spendable_balance: UINT64,
  locked_balance: UINT64,
};

const AT_HEIGHT = { 'height?': UINT64 };

const HEADER = {
  height: UINT64,
  block_hash: HASH,
  previous_block_hash: HASH,
  timestamp: UINT64,
  transaction_count: COUNT,
};

const BROADCAST = {
  version: COUNT,
  timestamp: UINT64,
  transaction_type: COUNT,
  fee: UINT64,
  sender_account_address: HEX,
  recipient_account_address: HEX,
  transaction_body_bytes: HEX,
  signature: HEX,
  'message_hex?': HEX,
  'escrow?': ref('Escrow'),
};

const STAGE = {
  status: oneOf('staging', 'mempool', 'confirmed'),
  'block_height?': UINT64,
};

const TOKEN = {
  token_id: INT64,
  name: TEXT,
  symbol: TEXT,
  decimals: { type: 'integer', format: 'int32', minimum: 0, maximum: 8 },
  supply: UINT64,
};

const SIDE = listOf(record({ price: UINT64, amount: UINT64, orders: COUNT }));
const PACKAGE = listOf(record({ token_id: INT64, amount: UINT64 }));

const BUNDLE = { arch: TEXT, name: TEXT, size: UINT64 };

const registered = (fields: Record<string, Schema>) =>
  record({ public_key: HEX, ...fields, registered_height: UINT64 });

/** Schemas to which others refer by name. */
export const SCHEMAS = {
  NodeInfo: record({
    genesis_hash: HASH,
    'signing_version?': INT64,
    'signing_tag?': TEXT,
    height: UINT64,
    'version?': TEXT,
    'peer_count?': COUNT,
    'synced?': FLAG,
  }),
  RegisteredNode: registered({ ip: IPV4, port: PORT, version: TEXT }),
  RegisteredGateway: registered({ host: TEXT }),
  RegisteredRelay: registered({ address: TEXT, rate: UINT64 }),
  BlockHeader: record(HEADER),
  Block: record({
    ...HEADER,
    transactions: listOf(ref('Transaction')),
    expired_escrows: listOf(HASH),
  }),
  Account: record({ ...HOLDER, ...BALANCES, ...AT_HEIGHT }),
  Escrow: record({
    approver_address: TEXT,
    commission: UINT64,
    timeout: UINT64,
    'instruction?': TEXT,
    'multi_party?': { anyOf: [FLAG, { type: 'integer', enum: [0, 1] }] },
  }),
  Broadcast: record(BROADCAST),
  Transaction: record({
    transaction_hash: HASH,
    transaction_id: INT64,
    ...STAGE,
    ...BROADCAST,
    unsigned_hex: HEX,
    'escrow_status?': oneOf('held', 'approved', 'rejected', 'expired'),
  }),
  Movement: record({
    kind: oneOf('reward', 'unlock', 'refund'),
    ...HOLDER,
    token_id: INT64,
    amount: UINT64,
    block_height: UINT64,
    timestamp: UINT64,
    'transaction_hash?': HASH,
  }),
  Market: record({
    market_id: INT64,
    base_token_id: INT64,
    quote_token_id: INT64,
    status: oneOf('open'),
    opened_height: UINT64,
    last_price: UINT64,
    volume_24h: UINT64,
  }),
  OrderBook: record({ market_id: INT64, bids: SIDE, asks: SIDE }),
  Offer: record({
    offer_id: INT64,
    ...HOLDER,
    gives: PACKAGE,
    wants: PACKAGE,
    expires_at: UINT64,
    status: oneOf('open'),
  }),
  Token: record(TOKEN),
  TokenBalance: record({ ...TOKEN, ...BALANCES }),
  Release: record({
    version: TEXT,
    released_at: UINT64,
    files: listOf(record({ ...BUNDLE, sha256: HASH })),
  }),
};

const registry = (kind: string, entry: keyof typeof SCHEMAS) => record({ [kind]: listOf(ref(entry)) });

/** The bodies of successful answers of the nodes, by the operation of the OpenAPI document. */
export const CHAIN_RECORDS: Readonly<Record<string, Schema>> = {
  nodeInfo: ref('NodeInfo'),
  registeredNodes: registry('nodes', 'RegisteredNode'),
  registeredArchivals: registry('archivals', 'RegisteredNode'),
  registeredGateways: registry('gateways', 'RegisteredGateway'),
  registeredRelays: registry('relays', 'RegisteredRelay'),
  blockchainStatus: record({ height: UINT64, confirmed_height: UINT64, latest_block: ref('BlockHeader') }),
  latestBlock: ref('Block'),
  block: ref('Block'),
  blocks: record({ blocks: listOf(ref('Block')) }),
  estimateFee: record({ minimum_fee: UINT64, timestamp: UINT64 }),
  account: ref('Account'),
  accountTokens: record({ ...HOLDER, tokens: listOf(ref('TokenBalance')), ...AT_HEIGHT }),
  transactions: record({ transactions: listOf(ref('Transaction')) }),
  broadcast: record({
    status: oneOf('success'),
    duplicate: FLAG,
    transaction_hash: HASH,
  }),
  transaction: ref('Transaction'),
  transactionStatus: record({
    transaction_hash: HASH,
    ...STAGE,
    'mempool_position?': COUNT,
  }),
  movements: record({ movements: listOf(ref('Movement')) }),
  markets: record({ markets: listOf(ref('Market')) }),
  orderBook: ref('OrderBook'),
  offers: record({ offers: listOf(ref('Offer')) }),
  tokens: record({ tokens: listOf(ref('Token')) }),
  token: ref('Token'),
  releases: record({ releases: listOf(ref('Release')) }),
};
