import { toHex } from '@zbc-signer/chain';
import { GatewayBusyError, type ListedTransaction, type Reader } from '@zbc-signer/host';
import type { ExplorerClient } from '@zbc-signer/host/explorer';
import { retryRead } from '../connection/gateway.js';
import type { Terminal } from '../output/terminal.js';

/** The maximum number of transactions, movements or blocks in one response. */
export const MAX_LISTED = 100;
const TOO_MANY_REQUESTS = 429;
const RATE_PAUSE_MS = 5_000;
/** Together, the pauses last longer than a minute, which is the period of the gateway's rate limit. */
const RATE_PAUSES = 15;

export interface Search {
  gateway: ExplorerClient;
  reader: Reader;
  terminal: Terminal;
  /** The height of the oldest block to read. */
  fromBlock: bigint;
}

/**
 * The chain's transactions: first the unconfirmed ones, then the others, newest first. Because the gateway
 * has no index of accounts, this function first reads the list of the newest transactions, and then the
 * blocks downwards.
 */
export async function* allTransactions(search: Search): AsyncGenerator<ListedTransaction> {
  const { gateway, reader } = search;
  const newest = await patiently(search, () =>
    retryRead(reader, request => gateway.recentTransactions(MAX_LISTED, request)),
  );
  const seen = new Set<string>();
  const isWanted = ({ hash, blockHeight }: ListedTransaction) => {
    if (seen.has(toHex(hash)) || (blockHeight !== undefined && blockHeight < search.fromBlock)) return false;
    seen.add(toHex(hash));
    return true;
  };
  for (const transaction of newest) {
    if (isWanted(transaction)) yield transaction;
  }
  if (newest.length < MAX_LISTED) return;
  // The list may end within a block.
  let top = lowestHeight(newest);
  while (top !== undefined && top >= search.fromBlock) {
    const from = larger(search.fromBlock, top - BigInt(MAX_LISTED - 1));
    for (const transaction of await readBlocks(search, from, top)) {
      if (isWanted(transaction)) yield transaction;
    }
    top = from - 1n;
  }
}

/** The transactions of the blocks from one height to another, newest first. */
async function readBlocks(search: Search, from: bigint, to: bigint): Promise<ListedTransaction[]> {
  const { gateway, reader, terminal } = search;
  await terminal.wait(`Searching blocks ${from} to ${to}`);
  const transactions: ListedTransaction[] = [];
  for (let height = from; height <= to; ) {
    const limit = Number(to - height) + 1;
    const blocks = await patiently(search, () =>
      retryRead(reader, request => gateway.blocks(height, limit, request)),
    );
    if (blocks.length === 0) break;
    transactions.push(...blocks.flatMap(block => block.transactions));
    height += BigInt(blocks.length);
  }
  return transactions.reverse();
}

/** Reads from the gateway. If the gateway's rate limit is reached, waits and reads again. */
export async function patiently<T>({ reader, terminal }: Search, read: () => Promise<T>): Promise<T> {
  for (let pauses = 0; ; pauses += 1) {
    try {
      return await read();
    } catch (error) {
      const isLimited = error instanceof GatewayBusyError && error.status === TOO_MANY_REQUESTS;
      if (!isLimited || pauses >= RATE_PAUSES) throw error;
      terminal.report('The gateway limits the rate of requests; waiting');
      await reader.clock.sleep(RATE_PAUSE_MS, reader.request.signal);
    }
  }
}

function lowestHeight(transactions: readonly ListedTransaction[]): bigint | undefined {
  return transactions.reduce<bigint | undefined>(
    (lowest, { blockHeight }) =>
      blockHeight === undefined || (lowest !== undefined && lowest <= blockHeight) ? lowest : blockHeight,
    undefined,
  );
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
