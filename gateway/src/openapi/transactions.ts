import { TRANSACTION_FORMATS, transactionTypeName } from '@zbc-signer/chain';
import { HOLDER } from './accounts.js';
import {
  ARCHIVAL_ONLY,
  chainRoute,
  EVERY_NODE,
  errors,
  inPath,
  inQuery,
  json,
  jsonBody,
  type Paths,
} from './operation.js';
import {
  ACCOUNT_HEX,
  ATOMS,
  COUNT,
  described,
  FLAG,
  HASH,
  HEX,
  INT64,
  listOf,
  oneOf,
  record,
  ref,
  SECONDS,
  TEXT,
  TOKEN_ID,
  UINT64,
} from './schema.js';

const SIGNED_TYPES = Object.keys(TRANSACTION_FORMATS)
  .map(type => `${type} ${transactionTypeName(Number(type))}`)
  .join(', ');

const BROADCAST = {
  version: described('1', COUNT),
  timestamp: SECONDS,
  transaction_type: described(SIGNED_TYPES, COUNT),
  fee: ATOMS,
  sender_account_address: ACCOUNT_HEX,
  recipient_account_address: described('The recipient field in hex; 02000000 for none', HEX),
  transaction_body_bytes: described('The body only', HEX),
  signature: described('64 bytes in hex', HEX),
  'message_hex?': HEX,
  'escrow?': ref('Escrow'),
};

const STAGE = {
  status: described('Confirmation status', oneOf('staging', 'mempool', 'confirmed')),
  'block_height?': described('Of the block that confirmed it', UINT64),
};

export const TRANSACTION_SCHEMAS = {
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
};

const hash = inPath('hash', HASH, 'Of the transaction');
const UNKNOWN = errors({ 404: 'Unknown transaction' });

export const TRANSACTION_PATHS: Paths = {
  '/api/v1/transactions': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'transactions',
      summary: 'Recent transactions, newest first',
      parameters: [inQuery('limit', COUNT, 'Maximum number; default 20, maximum 100')],
      answers: { 200: json('The transactions', record({ transactions: listOf(ref('Transaction')) })) },
    }),
    post: chainRoute(['full'], {
      operationId: 'broadcast',
      summary: 'Broadcast a signed transaction',
      description:
        'The node rebuilds the signed bytes from these fields. After 502 or 504, check the status.',
      requestBody: jsonBody(ref('Broadcast')),
      answers: {
        202: json(
          'Accepted',
          record({
            status: oneOf('success'),
            duplicate: described('The node already has it', FLAG),
            transaction_hash: HASH,
          }),
        ),
        ...errors({ 405: 'The host name is that of an archival node' }),
      },
    }),
  },
  '/api/v1/transactions/{hash}': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'transaction',
      summary: 'One transaction in full',
      parameters: [hash],
      answers: { 200: json('The transaction', ref('Transaction')), ...UNKNOWN },
    }),
  },
  '/api/v1/transactions/{hash}/status': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'transactionStatus',
      summary: 'Status of a transaction',
      description:
        'With Accept: text/event-stream alone, the gateway sends it as events whenever it changes.',
      parameters: [hash],
      answers: {
        200: json(
          'The status',
          record({
            transaction_hash: HASH,
            ...STAGE,
            'mempool_position?': described('From 1, the next to be confirmed', COUNT),
          }),
        ),
        ...UNKNOWN,
      },
    }),
  },
  '/api/v1/movements/latest': {
    get: chainRoute(ARCHIVAL_ONLY, {
      operationId: 'movements',
      summary: 'Rewards, unlocks and refunds, newest first',
      parameters: [inQuery('limit', COUNT, 'Maximum number; default 20, maximum 100')],
      answers: { 200: json('The movements', record({ movements: listOf(ref('Movement')) })) },
    }),
  },
};
