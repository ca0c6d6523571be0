import { chainRoute, EVERY_NODE, errors, inPath, inQuery, json, type Paths } from '../operation.js';
import { ACCOUNT_HEX, ATOMS, listOf, record, ref, TEXT, told, UINT64 } from '../schema.js';

/** Who holds something, as every answer names it. */
export const HOLDER = {
  address: told('ZBC_ and 56 characters in groups; the wire form for other kinds of accounts', TEXT),
  account_hex: ACCOUNT_HEX,
};

/** What is held of one token or of the coin. */
export const BALANCES = {
  balance: told('Spendable and locked, in atomic units', UINT64),
  spendable_balance: ATOMS,
  locked_balance: told('Held in escrow or promised to unconfirmed transactions, in atomic units', UINT64),
};

const AT_HEIGHT = { 'height?': told('The height that was asked for', UINT64) };

export const ACCOUNT_SCHEMAS = { Account: record({ ...HOLDER, ...BALANCES, ...AT_HEIGHT }) };

const parameters = [
  inPath('address', TEXT, 'A ZBC_ address in any of its forms, or the wire form in hex'),
  inQuery('height', UINT64, 'As of this block; only archival nodes can answer it'),
];

const UNKNOWN = errors({ 404: 'Nothing was ever paid to this account' });

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
      summary: 'Every token that the account holds',
      parameters,
      answers: {
        200: json('The tokens', record({ ...HOLDER, tokens: listOf(ref('TokenBalance')), ...AT_HEIGHT })),
        ...UNKNOWN,
      },
    }),
  },
};
