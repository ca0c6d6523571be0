import { chainRoute, EVERY_NODE, errors, inPath, inQuery, json, jsonBody, type Paths } from '../operation.js';
import {
  ACCOUNT_HEX,
  ATOMS,
  COUNT,
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
  told,
  UINT64,
} from '../schema.js';

const BROADCAST = {
  version: told('1', COUNT),
  timestamp: SECONDS,
  transaction_type: told('1 SendZBC, 11 TransferToken, 4 ApprovalEscrow', COUNT),
  fee: ATOMS,
  sender_account_address: ACCOUNT_HEX,
  recipient_account_address: told('The recipient field in hex; 02000000 for none', HEX),
  transaction_body_bytes: told('The body alone', HEX),
  signature: told('64 bytes in hex', HEX),
  'message_hex?': HEX,
  'escrow?': ref('Escrow'),
};

const STAGE = {
  status: told('How far the chain is with it', oneOf('staging', 'mempool', 'confirmed')),
  'block_height?': told('Of the block that confirmed it', UINT64),
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
    transaction_id: told('The first 8 bytes of the hash, little-endian and signed', INT64),
    ...STAGE,
    ...BROADCAST,
    unsigned_hex: told('The bytes that were signed, without the signature', HEX),
    'escrow_status?': oneOf('held', 'approved', 'rejected', 'expired'),
  }),
};

const hash = inPath('hash', HASH, 'Of the transaction');
const UNKNOWN = errors({ 404: 'The chain does not know this transaction' });

export const TRANSACTION_PATHS: Paths = {
  '/api/v1/transactions': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'transactions',
      summary: 'Recent transactions, newest first',
      parameters: [inQuery('limit', COUNT, 'At most as many; 20 when left out, 100 at most')],
      answers: { 200: json('The transactions', record({ transactions: listOf(ref('Transaction')) })) },
    }),
    post: chainRoute(['full'], {
      operationId: 'broadcast',
      summary: 'Broadcast a signed transaction',
      description:
        'The node builds the signed bytes again from these fields. After 502 or 504 it may have taken the transaction: ask for its status.',
      requestBody: jsonBody(ref('Broadcast')),
      answers: {
        202: json(
          'Taken',
          record({
            status: oneOf('success'),
            duplicate: told('The node has it already', FLAG),
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
      summary: 'How far the chain is with a transaction',
      parameters: [hash],
      answers: {
        200: json(
          'Its stage',
          record({
            transaction_hash: HASH,
            ...STAGE,
            'mempool_position?': told('Counted from 1, the next to be confirmed', COUNT),
          }),
        ),
        ...UNKNOWN,
      },
    }),
  },
};
