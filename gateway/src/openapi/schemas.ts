import { TRANSACTION_FORMATS, transactionTypeName } from '@zbc-signer/chain';
import { MAX_PORT } from '../base/node-address.js';

/** A JSON Schema of draft 2020-12, as in OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** Returns the schema of an object with these fields. A field is optional if its name ends in `?`. */
export function record(fields: Readonly<Record<string, Schema>>): Schema {
  const names = Object.keys(fields);
  const plain = (name: string) => name.replace(/\?$/, '');
  return {
    type: 'object',
    required: names.filter(name => !name.endsWith('?')),
    properties: Object.fromEntries(names.map(name => [plain(name), fields[name]])),
  };
}

export const listOf = (items: Schema): Schema => ({ type: 'array', items });

export const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

export const described = (description: string, schema: Schema): Schema => ({ ...schema, description });

export const TEXT: Schema = { type: 'string' };
export const FLAG: Schema = { type: 'boolean' };
const NUMBER: Schema = { type: 'number' };
export const SUCCESS: Schema = { type: 'boolean', const: true };
export const INT64: Schema = { type: 'integer', format: 'int64' };
export const UINT64: Schema = { type: 'integer', format: 'uint64', minimum: 0 };
export const COUNT: Schema = { type: 'integer', format: 'int32', minimum: 0 };
export const PORT: Schema = { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_PORT };
export const SECONDS = described('Unix seconds', UINT64);
export const ATOMS = described('Atomic units', UINT64);
export const HASH: Schema = { type: 'string', pattern: '^[0-9A-Fa-f]{64}$', description: '32 bytes in hex' };
export const SHA256 = described('SHA-256 of the file', HASH);
const HEX: Schema = { type: 'string', pattern: '^([0-9A-Fa-f]{2})*$' };
const ACCOUNT_HEX = described('The wire form of an account in hex', HEX);
export const TOKEN_ID = described('Signed; 0 is the coin', INT64);
export const IPV4: Schema = { type: 'string', format: 'ipv4' };

/** A node in the gateway's reports. */
export const NODE = { ip: IPV4, port: PORT, role: oneOf('full', 'archival'), answers: FLAG };

/** The account that holds a balance. */
export const HOLDER = {
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

export const AT_HEIGHT = { 'height?': described('The requested height', UINT64) };

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

export const STAGE = {
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

export const BUNDLE = { arch: TEXT, name: TEXT, size: described('Bytes', UINT64) };

const registered = (fields: Record<string, Schema>) =>
  record({ public_key: HEX, ...fields, registered_height: UINT64 });

const COUNTS = listOf(COUNT);
const MEASURES = listOf({ anyOf: [NUMBER, { type: 'null' }] });

/** Schemas that the document's routes refer to by name. */
export const SCHEMAS = {
  Error: record({
    success: { type: 'boolean', const: false },
    error: TEXT,
    code: described('The HTTP status', COUNT),
  }),
  SystemStats: record({
    cpu: record({ count: COUNT, load_average: listOf(NUMBER), usage_percent: NUMBER }),
    memory: record({ total_bytes: UINT64, free_bytes: UINT64, process_bytes: UINT64 }),
    disk: record({ total_bytes: UINT64, free_bytes: UINT64 }),
    uptime: record({ system_seconds: UINT64, process_seconds: UINT64 }),
  }),
  AdmittedNode: record({ ...NODE, source: oneOf('static', 'admin', 'registry'), cordoned: FLAG }),
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
  AdminState: record({
    gateway: record({
      domain: TEXT,
      mode: oneOf('public', 'private'),
      version: TEXT,
      uptime_seconds: UINT64,
      'genesis_hash?': HASH,
    }),
    nodes: listOf(
      record({
        ...NODE,
        source: oneOf('static', 'admin', 'registry'),
        routed: described(
          'Whether the node gets requests: it answers, is on the routed chain, is not too far behind and is not cordoned',
          FLAG,
        ),
        cordoned: described('Whether an administrator cordoned the node', FLAG),
        broken: described('Whether the node is asked last for a while after several poor answers', FLAG),
        'fault?': described('Why the node does not answer', TEXT),
        'genesis_hash?': HASH,
        'height?': described('Decimal digits', TEXT),
        'behind?': described(
          'Number of blocks behind the best node, in decimal digits; present if the node is asked last or not at all',
          TEXT,
        ),
        'latency_ms?': NUMBER,
        requests: UINT64,
        failures: UINT64,
        running: described('Number of requests that have not ended yet', UINT64),
      }),
    ),
    traffic: record({
      requests: UINT64,
      answers: described('Counts by the first digit of the status', {
        type: 'object',
        additionalProperties: COUNT,
      }),
      bytes_out: UINT64,
      reads: record({ hedged: UINT64 }),
    }),
    history: described(
      'The last hour; each array has one value per step, the oldest first',
      record({
        step_seconds: COUNT,
        answers: described('Counts by the first digit of the status', {
          type: 'object',
          additionalProperties: COUNTS,
        }),
        p50_ms: described('Median duration of the requests', MEASURES),
        p99_ms: MEASURES,
        cache_reads: described(
          'Reads whose answer can be cached',
          record({ hit: COUNTS, shared: COUNTS, miss: COUNTS }),
        ),
        nodes: described(
          'The first 24 nodes; a value is null while the node did not answer its checks',
          listOf(record({ ip: IPV4, port: PORT, heights: MEASURES, latencies_ms: MEASURES })),
        ),
      }),
    ),
    system: ref('SystemStats'),
  }),
};

/** Returns the names of a record's fields. */
export function fieldsOf(name: keyof typeof SCHEMAS): ReadonlySet<string> {
  return new Set(Object.keys(Object(SCHEMAS[name].properties)));
}
