import { formatCoinAmount, formatUnits, fromHex } from '@zbc-signer/chain';
import {
  type AccountMovement,
  accountMovements,
  type BlockSpan,
  findOpenings,
  GatewayBusyError,
  type GatewayClient,
  growSpan,
  isDetermined,
  listsAllRewards,
  type RequestOptions,
  type RetryingReader,
  type Token,
} from '@zbc-signer/host';
import type { ExplorerClient } from '@zbc-signer/host/explorer';
import { retryRead } from '../connection/gateway.js';
import type { Terminal } from '../output/terminal.js';

/** The maximum number of transactions or movements in one response. */
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
  const patient: Parameters<typeof growSpan>[0] = {
    blockchainStatus: () => ask(request => gateway.blockchainStatus(request)),
    blocks: (next, limit) => ask(request => gateway.blocks(next, limit, request)),
  };
  let span: BlockSpan | undefined;
  for await (const grown of growSpan(patient, [own], { from: fromBlock })) {
    span = grown.span;
    await terminal.wait(`Searched the blocks from ${span.from} on`);
    if (isEnough(accountMovements(own, span))) break;
  }
  const listed = await ask(request => gateway.movements(MAX_LISTED, request));
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

/** The coin's token id; the chain does not list it among the tokens. */
const COIN = 0n;

/**
 * Formats amounts in units of their tokens. Also prints the id of a token, because its symbol is not unique.
 */
export class Units {
  constructor(readonly tokens: readonly Token[]) {}

  /** Requests the list of tokens, unless all ids are that of the coin. */
  static async read(
    gateway: GatewayClient,
    reader: RetryingReader,
    tokenIds: readonly bigint[],
  ): Promise<Units> {
    const needed = tokenIds.some(id => id !== COIN);
    return new Units(needed ? await retryRead(reader, request => gateway.tokens(request)) : []);
  }

  /**
   * Formats as `1.5 ZBC`, `2.5 AMBER (token 1)`, or the atomic units of a token that the chain does not list.
   */
  format(tokenId: bigint, amountAtoms: bigint): string {
    if (tokenId === COIN) return formatCoinAmount(amountAtoms);
    const token = this.tokens.find(({ id }) => id === tokenId);
    if (token === undefined) return `${amountAtoms} atomic units of token ${tokenId}`;
    const { symbol, decimals } = token;
    const name = symbol === undefined ? `token ${tokenId}` : `${symbol} (token ${tokenId})`;
    return `${formatUnits(amountAtoms, decimals)} ${name}`;
  }
}
