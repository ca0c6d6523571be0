import { chainRoute, EVERY_NODE, errors, FULL_ONLY, inPath, inQuery, json, type Paths } from './operation.js';
import { ATOMS, COUNT, described, HASH, listOf, record, ref, SECONDS, UINT64 } from './schema.js';

const HEADER = {
  height: UINT64,
  block_hash: HASH,
  previous_block_hash: HASH,
  timestamp: SECONDS,
  transaction_count: COUNT,
};

export const BLOCK_SCHEMAS = {
  BlockHeader: record(HEADER),
  Block: record({
    ...HEADER,
    transactions: listOf(ref('Transaction')),
    expired_escrows: described('Transactions whose escrow this block gave back', listOf(HASH)),
  }),
};

export const BLOCK_PATHS: Paths = {
  '/api/v1/blockchain/status': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'blockchainStatus',
      summary: 'Height, confirmed height and the latest block',
      answers: {
        200: json(
          'The state of the chain',
          record({ height: UINT64, confirmed_height: UINT64, latest_block: ref('BlockHeader') }),
        ),
      },
    }),
  },
  '/api/v1/blocks/latest': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'latestBlock',
      summary: 'The newest block in full',
      answers: { 200: json('The block', ref('Block')) },
    }),
  },
  '/api/v1/blocks/{height}': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'block',
      summary: 'One block in full',
      parameters: [inPath('height', UINT64, 'Counted from 0, the genesis')],
      answers: { 200: json('The block', ref('Block')), ...errors({ 404: 'No block at this height' }) },
    }),
  },
  '/api/v1/blocks': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'blocks',
      summary: 'Blocks from a height upwards, optionally waiting for the next one',
      description:
        'With Accept: text/event-stream alone, the gateway sends the heads of new blocks as events.',
      parameters: [
        inQuery('from', UINT64, 'The height of the first', true),
        inQuery('limit', COUNT, 'Maximum number; default and maximum 100'),
        inQuery('wait_ms', COUNT, 'Time to wait for the first; default 0, maximum 10000'),
      ],
      answers: { 200: json('Empty if there is none yet', record({ blocks: listOf(ref('Block')) })) },
    }),
  },
  '/api/v1/blockchain/estimate-fee': {
    get: chainRoute(FULL_ONLY, {
      operationId: 'estimateFee',
      summary: 'Minimum fee of a transaction',
      parameters: [
        inQuery('type', COUNT, 'The type of the transaction', true),
        inQuery('body_length', COUNT, 'The bytes of its body', true),
      ],
      answers: { 200: json('The fee', record({ minimum_fee: ATOMS, timestamp: SECONDS })) },
    }),
  },
};
