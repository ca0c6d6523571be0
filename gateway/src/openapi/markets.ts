import { BALANCES, HOLDER } from './accounts.js';
import {
  ARCHIVAL_ONLY,
  chainRoute,
  EVERY_NODE,
  errors,
  inPath,
  inQuery,
  json,
  type Paths,
} from './operation.js';
import {
  ATOMS,
  COUNT,
  described,
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

const TOKEN = {
  token_id: described('Signed, derived from a hash; 1 to 14 are of the genesis', INT64),
  name: TEXT,
  symbol: TEXT,
  decimals: { type: 'integer', format: 'int32', minimum: 0, maximum: 8 },
  supply: described('Atomic units', UINT64),
};

const PRICE = described('Atomic units of the quote token for one whole base token', UINT64);
const SIDE = described(
  'Best price first; amounts in atomic units of the base token',
  listOf(record({ price: PRICE, amount: UINT64, orders: COUNT })),
);
const PACKAGE = listOf(record({ token_id: TOKEN_ID, amount: ATOMS }));

export const MARKET_SCHEMAS = {
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
};

export const MARKET_PATHS: Paths = {
  '/api/v1/exchange/markets': {
    get: chainRoute(ARCHIVAL_ONLY, {
      operationId: 'markets',
      summary: 'Open markets',
      answers: { 200: json('The markets', record({ markets: listOf(ref('Market')) })) },
    }),
  },
  '/api/v1/exchange/orderbook': {
    get: chainRoute(ARCHIVAL_ONLY, {
      operationId: 'orderBook',
      summary: 'Depth of a market',
      parameters: [inQuery('market', INT64, 'The id of the market, which may be negative', true)],
      answers: { 200: json('Both sides', ref('OrderBook')), ...errors({ 404: 'No such market' }) },
    }),
  },
  '/api/v1/exchange/offers': {
    get: chainRoute(ARCHIVAL_ONLY, {
      operationId: 'offers',
      summary: 'Swap packages: all of one for all of the other',
      answers: { 200: json('The offers', record({ offers: listOf(ref('Offer')) })) },
    }),
  },
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
