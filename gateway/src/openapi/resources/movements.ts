import { ARCHIVAL_ONLY, chainRoute, inQuery, json, type Paths } from '../operation.js';
import { ATOMS, COUNT, HASH, listOf, oneOf, record, ref, SECONDS, TOKEN_ID, UINT64 } from '../schema.js';
import { HOLDER } from './accounts.js';

export const MOVEMENT_SCHEMAS = {
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

export const MOVEMENT_PATHS: Paths = {
  '/api/v1/movements/latest': {
    get: chainRoute(ARCHIVAL_ONLY, {
      operationId: 'movements',
      summary: 'Rewards, unlocks and refunds, newest first',
      parameters: [inQuery('limit', COUNT, 'Maximum number; default 20, maximum 100')],
      answers: { 200: json('The movements', record({ movements: listOf(ref('Movement')) })) },
    }),
  },
};
