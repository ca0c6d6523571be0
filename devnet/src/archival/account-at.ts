import type { Account } from '@zbc-signer/chain';
import { RequestError } from '@zbc-signer/gateway/server';
import { latestBlock } from '../node/chain/block.js';
import { viewAccount, viewAccountTokens } from '../node/views/account.js';
import type { HistoryStore } from './history-store.js';

/** The account's JSON after this block; throws RequestError 404 for an unknown block or account. */
export function viewAccountAt(store: HistoryStore, account: Account, height: bigint) {
  checkHeight(store, height);
  return existing(viewAccount(store.at(height), account), height);
}

export function viewAccountTokensAt(store: HistoryStore, account: Account, height: bigint) {
  checkHeight(store, height);
  return existing(viewAccountTokens(store, account, store.at(height)), height);
}

function checkHeight(store: HistoryStore, height: bigint): void {
  const newest = latestBlock(store).height;
  if (height > newest) {
    throw new RequestError(404, `Height ${height} is not there yet: the newest block has height ${newest}`);
  }
}

function existing(view: Record<string, unknown> | undefined, height: bigint): Record<string, unknown> {
  if (view === undefined) throw new RequestError(404, `Account did not exist at height ${height}`);
  return { ...view, height };
}
