import { type Account, accountFromHex } from '@zbc-signer/chain';
import { RequestError } from '@zbc-signer/gateway/server';
import type { FastifyInstance } from 'fastify';
import { latestBlock } from '../node/chain/block.js';
import { viewReleases } from '../node/development-data/releases.js';
import { NODE_VERSION } from '../node/genesis.js';
import { EmptyNotFoundError, requireFoundOrEmpty } from '../node/http/chain-app.js';
import { parseAddressParameter, parseIntegerParameter, parseLimit } from '../node/http/parameters.js';
import type { MovementRecord } from '../node/store/records.js';
import type { Store } from '../node/store/store.js';
import { viewAccount, viewAccountTokens, viewName } from '../node/views/account.js';
import type { ArchivalChain } from './archival-chain.js';
import type { HistoryStore } from './history-store.js';

/**
 * Adds the info of an archival node: its genesis hash in upper-case hex, and the followed node's signing
 * rules (docs/gateway/routes.md#node-information, "Versioning").
 */
export function addArchivalInfoRoute(app: FastifyInstance, chain: ArchivalChain): void {
  app.get('/api/v1/node/info', () => {
    const { height } = latestBlock(chain.store);
    return {
      genesis_hash: chain.store.genesisHash.toUpperCase(),
      ...chain.mirrored,
      height,
      version: NODE_VERSION,
      peer_count: chain.followedHeight === undefined ? 0 : 1,
      synced: chain.followedHeight !== undefined && chain.followedHeight <= height,
    };
  });
}

interface AccountRequest {
  Params: { address: string };
  Querystring: { height?: unknown };
}

/**
 * Adds the routes of accounts. Without a height, an unknown account may be new, so this node answers with an
 * empty 404, which lets a gateway ask a full node. For a height above its newest block, this node also
 * answers with an empty 404. For any other height, its answer is final.
 */
export function addAccountHistoryRoutes(app: FastifyInstance, { store }: ArchivalChain): void {
  app.get<AccountRequest>('/api/v1/accounts/:address', ({ params, query }) => {
    const account: Account = parseAddressParameter(params.address);
    return query.height === undefined
      ? requireFoundOrEmpty(viewAccount(store, account))
      : viewAccountAt(store, account, parseHeight(query.height));
  });
  app.get<AccountRequest>('/api/v1/accounts/:address/tokens', ({ params, query }) => {
    const account: Account = parseAddressParameter(params.address);
    return query.height === undefined
      ? requireFoundOrEmpty(viewAccountTokens(store, account))
      : viewAccountTokensAt(store, account, parseHeight(query.height));
  });
}

function parseHeight(text: unknown): bigint {
  return parseIntegerParameter('height', text, 0n);
}

/**
 * Returns the account's JSON after the block of this height. Throws EmptyNotFoundError if this node does not
 * have the block yet, and RequestError 404 if the account is unknown.
 */
function viewAccountAt(store: HistoryStore, account: Account, height: bigint) {
  checkHeight(store, height);
  return existing(viewAccount(store.at(height), account), height);
}

function viewAccountTokensAt(store: HistoryStore, account: Account, height: bigint) {
  checkHeight(store, height);
  return existing(viewAccountTokens(store, account, store.at(height)), height);
}

function checkHeight(store: HistoryStore, height: bigint): void {
  if (height > latestBlock(store).height) throw new EmptyNotFoundError();
}

function existing(view: Record<string, unknown> | undefined, height: bigint): Record<string, unknown> {
  if (view === undefined) throw new RequestError(404, `Account did not exist at height ${height}`);
  return { ...view, height };
}

export function addMovementRoutes(app: FastifyInstance, { store }: ArchivalChain): void {
  app.get<{ Querystring: { limit?: unknown } }>('/api/v1/movements/latest', ({ query }) => ({
    movements: viewMovements(store, parseLimit(query.limit)),
  }));
}

/** Returns at most `limit` movements, newest first. */
function viewMovements(store: Store, limit: number) {
  return store.movements.entries({ reverse: true, limit }).map(({ value }) => viewMovement(value));
}

function viewMovement(movement: MovementRecord) {
  const { kind, account, tokenId, amount, height, timestamp, transaction } = movement;
  return {
    kind,
    ...viewName(accountFromHex(account)),
    token_id: tokenId,
    amount,
    block_height: height,
    timestamp,
    ...(transaction !== undefined && { transaction_hash: transaction }),
  };
}

export function addReleaseRoutes(app: FastifyInstance): void {
  app.get('/api/v1/release/list', () => ({ releases: viewReleases() }));
}
