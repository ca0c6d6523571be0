import { chainBackedRoute, errors, file, json, jsonBody, type Paths } from '../operation.js';
import { ATOMS, HASH, listOf, record, TEXT, TOKEN_ID, UINT64 } from '../schema.js';

const ABSENT = errors({ 404: 'Not a development gateway' });

export const FAUCET_PATHS: Paths = {
  '/faucet': {
    get: chainBackedRoute({
      operationId: 'faucetPage',
      summary: 'Faucet page of a development network',
      answers: { 200: file('The page', 'text/html'), ...ABSENT },
    }),
    post: chainBackedRoute({
      operationId: 'faucet',
      summary: 'Send coins and tokens of a development network to an address',
      requestBody: jsonBody(record({ address: TEXT })),
      answers: {
        200: json(
          'Paid, and confirmed in a block',
          record({
            success: { type: 'boolean', const: true },
            amount: ATOMS,
            transaction_hash: HASH,
            tokens: listOf(record({ token_id: TOKEN_ID, amount: ATOMS, transaction_hash: HASH })),
            block_height: UINT64,
          }),
        ),
        ...ABSENT,
      },
    }),
  },
};
