import { chainRoute, EVERY_NODE, errors, inPath, json, type Paths } from '../operation.js';
import { described, INT64, listOf, record, ref, TEXT, UINT64 } from '../schema.js';
import { BALANCES } from './accounts.js';

const TOKEN = {
  token_id: described('Signed, derived from a hash; 1 to 14 are of the genesis', INT64),
  name: TEXT,
  symbol: TEXT,
  decimals: { type: 'integer', format: 'int32', minimum: 0, maximum: 8 },
  supply: described('Atomic units', UINT64),
};

export const TOKEN_SCHEMAS = { Token: record(TOKEN), TokenBalance: record({ ...TOKEN, ...BALANCES }) };

export const TOKEN_PATHS: Paths = {
  '/api/v1/tokens': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'tokens',
      summary: 'Every token with supply and decimals',
      answers: { 200: json('The tokens', record({ tokens: listOf(ref('Token')) })) },
    }),
  },
  '/api/v1/tokens/{tokenId}': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'token',
      summary: 'One token',
      parameters: [inPath('tokenId', INT64, 'May be negative')],
      answers: { 200: json('The token', ref('Token')), ...errors({ 404: 'No such token' }) },
    }),
  },
};
