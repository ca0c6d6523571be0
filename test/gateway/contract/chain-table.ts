import { DEVNET_GENESIS_HASH } from '@zbc-signer/devnet';
import { FEE, GRANT_ATOMS, HERON } from '../../../testkit/devnet/payment.js';
import { PAID } from './contract-fixture.js';

/** The nodes that receive the unchanged target of the request, in this order. */
export type AskedNodes = 'nobody' | 'archival' | 'full' | 'archival, full';

/** A GET route of docs/gateway/routes.md#chain-routes. Braces are placeholders for data of the fixture. */
interface ReadRoute {
  path: string;
  asked: AskedNodes;
  /** A part of the answer, with placeholders such as `{hash}` in its strings. */
  answer: object;
  /** Set if a full node does not have the route. */
  onlyArchival?: true;
  /** Targets of the same route that fail, each with its status and the nodes that are asked. */
  errors?: readonly [target: string, status: number, asked: AskedNodes][];
}

const LEFT = GRANT_ATOMS - PAID - FEE;
const LIST = expect.any(Array);
const UNKNOWN_HASH = '00'.repeat(32);
const UNKNOWN_ACCOUNT = `00000000${'77'.repeat(32)}`;

export const READ_ROUTES: readonly ReadRoute[] = [
  {
    path: '/api/v1/blockchain/status',
    asked: 'archival',
    answer: {
      height: expect.anything(),
      confirmed_height: expect.anything(),
      latest_block: expect.any(Object),
    },
  },
  { path: '/api/v1/blocks/latest', asked: 'archival', answer: { transactions: LIST } },
  {
    path: '/api/v1/blocks/0',
    asked: 'archival',
    answer: { height: 0n, block_hash: DEVNET_GENESIS_HASH },
    errors: [
      ['/api/v1/blocks/99999999', 404, 'archival, full'],
      ['/api/v1/blocks/-1', 400, 'archival'],
      ['/api/v1/blocks/x', 400, 'archival'],
    ],
  },
  {
    path: '/api/v1/blocks?from=0&limit=2',
    asked: 'archival',
    answer: { blocks: [{ height: 0n }, { height: 1n }] },
    errors: [
      ['/api/v1/blocks?from=x', 400, 'archival'],
      ['/api/v1/blocks', 400, 'archival'],
    ],
  },
  {
    path: '/api/v1/accounts/{alice}',
    asked: 'archival',
    answer: { balance: LEFT, spendable_balance: LEFT, locked_balance: 0n, account_hex: '{alice}' },
    errors: [
      ['/api/v1/accounts/nobody', 400, 'archival'],
      ['/api/v1/accounts/ZNK_AAAA', 400, 'archival'],
      ['/api/v1/accounts/ZBC_AAAA', 400, 'archival'],
      ['/api/v1/accounts/02000000', 400, 'archival'],
      [`/api/v1/accounts/${UNKNOWN_ACCOUNT}`, 404, 'archival, full'],
      ['/api/v1/accounts/{alice}?height=99999999', 404, 'archival, full'],
      ['/api/v1/accounts/{alice}?height=x', 400, 'archival'],
      ['/api/v1/accounts/{alice}?height=0', 404, 'archival'],
      [`/api/v1/accounts/${UNKNOWN_ACCOUNT}?height=0`, 404, 'archival'],
    ],
  },
  {
    path: '/api/v1/accounts/{alice}?height={height}',
    asked: 'archival',
    onlyArchival: true,
    answer: { height: expect.anything(), balance: LEFT, account_hex: '{alice}' },
  },
  {
    path: '/api/v1/accounts/{alice}/tokens',
    asked: 'archival',
    answer: { tokens: [{ token_id: HERON }, { token_id: 1n }, { token_id: 2n }] },
    errors: [
      ['/api/v1/accounts/nobody/tokens', 400, 'archival'],
      [`/api/v1/accounts/${UNKNOWN_ACCOUNT}/tokens`, 404, 'archival, full'],
    ],
  },
  {
    path: '/api/v1/transactions?limit=1',
    asked: 'archival',
    answer: { transactions: [{ transaction_hash: '{hash}', status: 'confirmed' }] },
    errors: [
      ['/api/v1/transactions?limit=x', 400, 'archival'],
      ['/api/v1/transactions?limit=-1', 400, 'archival'],
      ['/api/v1/transactions?limit=1e9', 400, 'archival'],
      ['/api/v1/transactions?limit=', 400, 'archival'],
    ],
  },
  {
    path: '/api/v1/transactions/{hash}',
    asked: 'archival',
    answer: { transaction_hash: '{hash}', fee: FEE, sender_account_address: '{alice}' },
    errors: [
      [`/api/v1/transactions/${UNKNOWN_HASH}`, 404, 'archival, full'],
      ['/api/v1/transactions/x', 400, 'archival'],
    ],
  },
  {
    path: '/api/v1/transactions/{hash}/status',
    asked: 'archival',
    answer: { transaction_hash: '{hash}', status: 'confirmed', block_height: expect.anything() },
    errors: [
      [`/api/v1/transactions/${UNKNOWN_HASH}/status`, 404, 'archival, full'],
      ['/api/v1/transactions/x/status', 400, 'archival'],
    ],
  },
  {
    path: '/api/v1/movements/latest',
    asked: 'archival',
    onlyArchival: true,
    answer: { movements: expect.arrayContaining([expect.objectContaining({ kind: 'reward', amount: FEE })]) },
    errors: [
      ['/api/v1/movements/latest?limit=x', 400, 'archival'],
      ['/api/v1/movements/latest?limit=-1', 400, 'archival'],
    ],
  },
  {
    path: '/api/v1/exchange/markets',
    asked: 'archival',
    onlyArchival: true,
    answer: { markets: LIST },
  },
  {
    path: '/api/v1/exchange/orderbook?market=-42',
    asked: 'archival',
    onlyArchival: true,
    answer: { market_id: -42n, bids: LIST, asks: LIST },
    errors: [
      ['/api/v1/exchange/orderbook?market=1', 404, 'archival'],
      ['/api/v1/exchange/orderbook', 400, 'archival'],
      ['/api/v1/exchange/orderbook?market=x', 400, 'archival'],
      ['/api/v1/exchange/orderbook?market=1&market=2', 400, 'archival'],
    ],
  },
  { path: '/api/v1/exchange/offers', asked: 'archival', onlyArchival: true, answer: { offers: LIST } },
  { path: '/api/v1/tokens', asked: 'archival', answer: { tokens: LIST } },
  {
    path: '/api/v1/tokens/1',
    asked: 'archival',
    answer: { token_id: 1n, decimals: expect.anything(), supply: expect.anything() },
    errors: [
      ['/api/v1/tokens/-5', 404, 'archival'],
      ['/api/v1/tokens/0', 404, 'archival'],
      ['/api/v1/tokens/-9223372036854775808', 404, 'archival'],
      ['/api/v1/tokens/x', 400, 'archival'],
      ['/api/v1/tokens/1.5', 400, 'archival'],
      ['/api/v1/tokens/99999999999999999999', 400, 'archival'],
    ],
  },
  { path: '/api/v1/release/list', asked: 'archival', onlyArchival: true, answer: { releases: LIST } },
  { path: '/api/v1/registry/nodes', asked: 'archival', answer: { nodes: LIST } },
  { path: '/api/v1/registry/gateways', asked: 'archival', answer: { gateways: LIST } },
  { path: '/api/v1/registry/relays', asked: 'archival', answer: { relays: LIST } },
  { path: '/api/v1/registry/archivals', asked: 'archival', answer: { archivals: LIST } },
  {
    path: '/api/v1/node/info',
    asked: 'archival',
    answer: { genesis_hash: DEVNET_GENESIS_HASH.toUpperCase(), signing_version: 2n, signing_tag: 'ZBC-TX' },
  },
  {
    path: '/api/v1/blockchain/estimate-fee?type=1&body_length=8',
    asked: 'archival, full',
    answer: { minimum_fee: FEE, timestamp: expect.anything() },
    errors: [
      ['/api/v1/blockchain/estimate-fee', 400, 'archival, full'],
      ['/api/v1/blockchain/estimate-fee?type=1&body_length=x', 400, 'archival, full'],
    ],
  },
];
