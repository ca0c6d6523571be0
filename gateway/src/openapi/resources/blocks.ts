import {
  chainRoute,
  EVERY_NODE,
  errors,
  FULL_ONLY,
  inPath,
  inQuery,
  json,
  type Paths,
} from '../operation.js';
import { ATOMS, COUNT, HASH, listOf, record, ref, SECONDS, told, UINT64 } from '../schema.js';

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
    expired_escrows: told('Transactions whose escrow this block gave back', listOf(HASH)),
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
      answers: { 200: json('The block', ref('Block')), ...errors({ 404: 'The chain is not that high' }) },
    }),
  },
  '/api/v1/blocks': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'blocks',
      summary: 'Blocks from a height upwards, which can wait for one to come',
      parameters: [
        inQuery('from', UINT64, 'The height of the first', true),
        inQuery('limit', COUNT, 'At most as many; 100 when left out, and at most'),
        inQuery('wait_ms', COUNT, 'How long to wait for the first; 0 when left out, 10000 at most'),
      ],
      answers: { 200: json('None when there is none yet', record({ blocks: listOf(ref('Block')) })) },
    }),
  },
  '/api/v1/blockchain/estimate-fee': {
    get: chainRoute(FULL_ONLY, {
      operationId: 'estimateFee',
      summary: 'The least fee that is taken',
      parameters: [
        inQuery('type', COUNT, 'The type of the transaction', true),
        inQuery('body_length', COUNT, 'The bytes of its body', true),
      ],
      answers: { 200: json('The fee', record({ minimum_fee: ATOMS, timestamp: SECONDS })) },
    }),
  },
};
