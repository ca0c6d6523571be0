import { TRANSACTION_FORMATS, transactionTypeName } from '@zbc-signer/chain';

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

const described = (description: string, schema: Schema): Schema => ({ ...schema, description });

const TEXT: Schema = { type: 'string' };
const FLAG: Schema = { type: 'boolean' };
const INT64: Schema = { type: 'integer', format: 'int64' };
const UINT64: Schema = { type: 'integer', format: 'uint64', minimum: 0 };
const COUNT: Schema = { type: 'integer', format: 'int32', minimum: 0 };
const PORT: Schema = { type: 'integer', format: 'int32', minimum: 1, maximum: 65_535 };
const SECONDS = described('Unix seconds', UINT64);
const ATOMS = described('Atomic units', UINT64);
const HASH: Schema = { type: 'string', pattern: '^[0-9A-Fa-f]{64}$', description: '32 bytes in hex' };
const SHA256 = described('SHA-256 of the file', HASH);
const HEX: Schema = { type: 'string', pattern: '^([0-9A-Fa-f]{2})*$' };
const ACCOUNT_HEX = described('The wire form of an account in hex', HEX);
const TOKEN_ID = described('Signed; 0 is the coin', INT64);
const IPV4: Schema = { type: 'string', format: 'ipv4' };

/** The account that holds a balance. */
const HOLDER = {
  address: described(
    'ZBC_ and 56 characters in groups; for other kinds of accounts, the wire form in hex',
    TEXT,
  ),
  account_hex: ACCOUNT_HEX,
};

/** An account's balances of the coin or of one token. */
const BALANCES = {
  balance: described('Spendable and locked balance together, in atomic units', UINT64),
  spendable_balance: ATOMS,
  locked_balance: described(
    'Amount held in escrow or reserved for unconfirmed transactions, in atomic units',
    UINT64,
  ),
};

const AT_HEIGHT = { 'height?': described('The requested height', UINT64) };

const HEADER = {
  height: UINT64,
  block_hash: HASH,
  previous_block_hash: HASH,
  timestamp: SECONDS,
  transaction_count: COUNT,
};

const SIGNED_TYPES = Object.keys(TRANSACTION_FORMATS)
  .map(type => `${type} ${transactionTypeName(Number(type))}`)
  .join(', ');

const BROADCAST = {
  version: described('Version of the transaction format: 1', COUNT),
  timestamp: SECONDS,
  transaction_type: described(SIGNED_TYPES, COUNT),
  fee: ATOMS,
  sender_account_address: ACCOUNT_HEX,
  recipient_account_address: described('The recipient field in hex; 02000000 if there is no recipient', HEX),
  transaction_body_bytes: described('The body of the transaction', HEX),
  signature: described('64 bytes in hex', HEX),
  'message_hex?': HEX,
  'escrow?': ref('Escrow'),
};

const STAGE = {
  status: described('Confirmation status', oneOf('staging', 'mempool', 'confirmed')),
  'block_height?': described('Height of the block that confirmed the transaction', UINT64),
};

const TOKEN = {
  token_id: described('Signed and derived from a hash; the tokens of the genesis have 1 to 14', INT64),
  name: TEXT,
  symbol: TEXT,
  decimals: { type: 'integer', format: 'int32', minimum: 0, maximum: 8 },
  supply: described('Atomic units', UINT64),
};

const PRICE = described('Atomic units of the quote token for one whole base token', UINT64);
const SIDE = described(
  'Orders by price, the best price first; amounts are in atomic units of the base token',
  listOf(record({ price: PRICE, amount: UINT64, orders: COUNT })),
);
const PACKAGE = listOf(record({ token_id: TOKEN_ID, amount: ATOMS }));

const BUNDLE = { arch: TEXT, name: TEXT, size: described('Bytes', UINT64) };

const registered = (fields: Record<string, Schema>) =>
  record({ public_key: HEX, ...fields, registered_height: UINT64 });

/** Schemas to which others refer by name. */
export const SCHEMAS = {
  NodeInfo: record({
    genesis_hash: described(
      'Hash that identifies the chain; full nodes write it in lower case, archival nodes in upper case',
      HASH,
    ),
    'signing_version?': described('2 if signatures are bound to the chain; absent on older nodes', INT64),
    'signing_tag?': TEXT,
    height: UINT64,
    'version?': TEXT,
    'peer_count?': COUNT,
    'synced?': FLAG,
  }),
  RegisteredNode: registered({ ip: IPV4, port: PORT, version: TEXT }),
  RegisteredGateway: registered({ host: described('Host name, with the port unless it is 443', TEXT) }),
  RegisteredRelay: registered({ address: TEXT, rate: described('Atomic units per megabyte', UINT64) }),
  BlockHeader: record(HEADER),
  Block: record({
    ...HEADER,
    transactions: listOf(ref('Transaction')),
    expired_escrows: described(
      'Hashes of the transactions whose escrow expired with this block',
      listOf(HASH),
    ),
  }),
  Account: record({ ...HOLDER, ...BALANCES, ...AT_HEIGHT }),
  Escrow: record({
    approver_address: TEXT,
    commission: ATOMS,
    timeout: SECONDS,
    'instruction?': TEXT,
    'multi_party?': { anyOf: [FLAG, { type: 'integer', enum: [0, 1] }] },
  }),
  Broadcast: record(BROADCAST),
  Transaction: record({
    transaction_hash: HASH,
    transaction_id: described('The first 8 bytes of the hash, little-endian and signed', INT64),
    ...STAGE,
    ...BROADCAST,
    unsigned_hex: described('The bytes that were signed, without the signature', HEX),
    'escrow_status?': oneOf('held', 'approved', 'rejected', 'expired'),
  }),
  Movement: record({
    kind: oneOf('reward', 'unlock', 'refund'),
    ...HOLDER,
    token_id: TOKEN_ID,
    amount: ATOMS,
    block_height: UINT64,
    timestamp: SECONDS,
    'transaction_hash?': HASH,
  }),
  Market: record({
    market_id: INT64,
    base_token_id: TOKEN_ID,
    quote_token_id: TOKEN_ID,
    status: oneOf('open'),
    opened_height: UINT64,
    last_price: PRICE,
    volume_24h: described('Atomic units of the base token', UINT64),
  }),
  OrderBook: record({ market_id: INT64, bids: SIDE, asks: SIDE }),
  Offer: record({
    offer_id: INT64,
    ...HOLDER,
    gives: PACKAGE,
    wants: PACKAGE,
    expires_at: SECONDS,
    status: oneOf('open'),
  }),
  Token: record(TOKEN),
  TokenBalance: record({ ...TOKEN, ...BALANCES }),
  Release: record({
    version: TEXT,
    released_at: SECONDS,
    files: listOf(record({ ...BUNDLE, sha256: SHA256 })),
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
  estimateFee: record({ minimum_fee: ATOMS, timestamp: SECONDS }),
  account: ref('Account'),
  accountTokens: record({ ...HOLDER, tokens: listOf(ref('TokenBalance')), ...AT_HEIGHT }),
  transactions: record({ transactions: listOf(ref('Transaction')) }),
  broadcast: record({
    status: oneOf('success'),
    duplicate: described('Whether the node already had the transaction', FLAG),
    transaction_hash: HASH,
  }),
  transaction: ref('Transaction'),
  transactionStatus: record({
    transaction_hash: HASH,
    ...STAGE,
    'mempool_position?': described('Position in the mempool; 1 is confirmed next', COUNT),
  }),
  movements: record({ movements: listOf(ref('Movement')) }),
  markets: record({ markets: listOf(ref('Market')) }),
  orderBook: ref('OrderBook'),
  offers: record({ offers: listOf(ref('Offer')) }),
  tokens: record({ tokens: listOf(ref('Token')) }),
  token: ref('Token'),
  releases: record({ releases: listOf(ref('Release')) }),
};
