import type { Account } from '@zbc-signer/chain';
import { RequestError } from '@zbc-signer/gateway/server';
import { latestBlock } from '../node/chain/block.js';
import { EmptyNotFoundError } from '../node/http/empty-not-found.js';
import { viewAccount, viewAccountTokens } from '../node/views/account.js';
import type { HistoryStore } from './history-store.js';

/**
 * The account's JSON after this block; throws EmptyNotFoundError for a block that is not here yet, RequestError
 * 404 for an unknown account.
 */
export function viewAccountAt(store: HistoryStore, account: Account, height: bigint) {
  checkHeight(store, height);
  return existing(viewAccount(store.at(height), account), height);
}

export function viewAccountTokensAt(store: HistoryStore, account: Account, height: bigint) {
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
