import { chainRoute, EVERY_NODE, errors, inPath, inQuery, json, type Paths } from './operation.js';
import { ACCOUNT_HEX, ATOMS, described, listOf, record, ref, TEXT, UINT64 } from './schema.js';

/** The holder of a balance. */
export const HOLDER = {
  address: described('ZBC_ and 56 characters in groups; the wire form for other kinds of accounts', TEXT),
  account_hex: ACCOUNT_HEX,
};

/** Balances of one token or the coin. */
export const BALANCES = {
  balance: described('Spendable and locked, in atomic units', UINT64),
  spendable_balance: ATOMS,
  locked_balance: described(
    'Held in escrow or promised to unconfirmed transactions, in atomic units',
    UINT64,
  ),
};

const AT_HEIGHT = { 'height?': described('The requested height', UINT64) };

export const ACCOUNT_SCHEMAS = { Account: record({ ...HOLDER, ...BALANCES, ...AT_HEIGHT }) };

const parameters = [
  inPath('address', TEXT, 'A ZBC_ address in any of its forms, or the wire form in hex'),
  inQuery('height', UINT64, 'As of this block; archival nodes only'),
];

const UNKNOWN = errors({ 404: 'The account never received a payment' });

export const ACCOUNT_PATHS: Paths = {
  '/api/v1/accounts/{address}': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'account',
      summary: 'Balance and spendable balance',
      parameters,
      answers: { 200: json('The account', ref('Account')), ...UNKNOWN },
    }),
  },
  '/api/v1/accounts/{address}/tokens': {
    get: chainRoute(EVERY_NODE, {
      operationId: 'accountTokens',
      summary: 'Tokens held by the account',
      parameters,
      answers: {
        200: json('The tokens', record({ ...HOLDER, tokens: listOf(ref('TokenBalance')), ...AT_HEIGHT })),
        ...UNKNOWN,
      },
    }),
  },
};
