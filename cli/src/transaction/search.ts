import { fromHex } from '@zbc-signer/chain';
import {
  type AccountMovement,
  accountMovements,
  type BlockSpan,
  extendSpan,
  findOpenings,
  GatewayBusyError,
  isDetermined,
  listsAllRewards,
  type RequestOptions,
  type RetryingReader,
  readBlocks,
} from '@zbc-signer/host';
import type { ExplorerClient } from '@zbc-signer/host/explorer';
import { retryRead } from '../connection/gateway.js';
import type { Terminal } from '../output/terminal.js';

/** The maximum number of transactions, movements or blocks in one response. */
const MAX_LISTED = 100;
const TOO_MANY_REQUESTS = 429;
const RATE_PAUSE_MS = 5_000;
/** Together, the pauses last longer than a minute, which is the period of the gateway's rate limit. */
const RATE_PAUSES = 15;

interface Search {
  gateway: ExplorerClient;
  reader: RetryingReader;
  terminal: Terminal;
  /** The height of the oldest block to read. */
  fromBlock: bigint;
}

/** The movements of an account, newest first, with the height of the oldest block that was read. */
interface Found {
  movements: AccountMovement[];
  fromBlock: bigint;
  /** Whether these are all movements from `fromBlock` on, and blocks determine them. */
  isDetermined: boolean;
}

/**
 * Searches the blocks from the newest downwards, until `isEnough` or down to `fromBlock`. Of what the gateway
 * lists besides, the result has what these blocks do not have: unconfirmed transactions and rewards.
 */
export async function searchMovements(
  search: Search,
  own: string,
  isEnough: (movements: readonly AccountMovement[]) => boolean = () => false,
): Promise<Found> {
  const { gateway, terminal, fromBlock } = search;
  const ask = <T>(read: (request: RequestOptions) => Promise<T>) =>
    patiently(search, () => retryRead(search.reader, read));
  const transactions = await ask(request => gateway.recentTransactions(MAX_LISTED, request));
  const { height: newest } = await ask(request => gateway.blockchainStatus(request));
  const listed = await ask(request => gateway.movements(MAX_LISTED, request));
  const read = (next: bigint, limit: number) => ask(request => gateway.blocks(next, limit, request));
  let span: BlockSpan | undefined;
  for (let to = newest; to >= fromBlock; ) {
    const lowest = to - BigInt(MAX_LISTED - 1);
    const from = lowest > fromBlock ? lowest : fromBlock;
    await terminal.wait(`Searching blocks ${from} to ${to}`);
    span = extendSpan(span, await readBlocks(read, from, to), [own]);
    if (isEnough(accountMovements(own, span))) break;
    to = from - 1n;
  }
  if (span === undefined) return { movements: [], fromBlock, isDetermined: true };
  const { from } = span;
  span = await findOpenings(span, [own], hash => ask(request => gateway.transaction(fromHex(hash), request)));
  const movements = accountMovements(own, span, { transactions, movements: listed }).filter(
    ({ height = from }) => height >= from,
  );
  const isKnown = isDetermined(span, movements) && listsAllRewards(span, listed, MAX_LISTED);
  return { movements: movements.reverse(), fromBlock: from, isDetermined: isKnown };
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
