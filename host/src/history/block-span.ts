import { EscrowDecision, invalidInputError, toHex } from '@zbc-signer/chain';
import { GatewayError } from '../errors.js';
import type { GatewayClient } from '../gateway/client.js';
import type { Block, BlockTransaction } from '../gateway/records/block.js';

/**
 * A transaction in which one of a span's accounts takes part as sender, recipient or approver. `position` is
 * its index in the block; `blockTime` is in Unix seconds, and undefined if the block has no time.
 */
export interface Activity extends BlockTransaction {
  height: bigint;
  position: number;
  blockTime: bigint | undefined;
}

/** How a held escrow ends: by a decision of its approver, or because nobody decided before its timeout. */
export type EscrowOutcome = 'approved' | 'rejected' | 'expired';

/** A block's report of an escrow's end, not yet compared with the escrow. */
export interface EscrowEnding extends Pick<Activity, 'height' | 'position' | 'blockTime'> {
  /** Hash of the escrowed transaction, in hex. */
  escrowHash: string;
  outcome: EscrowOutcome;
  /** The sender of a decision; undefined if the escrow expired, or if the decision does not have its hash. */
  decidedBy?: string | undefined;
}

/**
 * What the consecutive blocks `from` to `to` have about some accounts, oldest first: plain data that can be
 * stored, and extended in both directions. `previousHash` and `hash` (hex) are those of the lowest and of the
 * highest block; `time` is that of the highest one.
 */
export interface BlockSpan {
  from: bigint;
  to: bigint;
  previousHash: string | undefined;
  hash: string | undefined;
  time: bigint | undefined;
  /** Whether every block has the list of the escrows that expired with it. */
  listsExpired: boolean;
  activities: readonly Activity[];
  /** The ends of the accounts' escrows, and of escrows that older blocks may have. */
  endings: readonly EscrowEnding[];
}

/**
 * The previous hash in a block is not the hash of the block below it, as after a reorganization of the chain,
 * a block is missing, or it repeats a transaction.
 */
export class UnlinkedBlocksError extends GatewayError {
  override readonly name = 'UnlinkedBlocksError';
  /** `height` is the height of the upper block. */
  constructor(height: bigint) {
    super('GATEWAY_MALFORMED', `block ${height} of the gateway does not follow the block below it`);
  }
}

/** The most blocks of one request. */
export const MAX_BLOCKS = 100n;

/** The options of `growSpan`. */
export interface GrowOptions {
  /** What was read before. Default: nothing. */
  span?: BlockSpan | undefined;
  /** The height of the oldest block to read. Default: 0. */
  from?: bigint | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Reads the newest blocks that the span does not have, then older ones down to `from`. Yields the given span and,
 * after each request, the grown one, with the height of the newest block. Throws UnlinkedBlocksError if the
 * chain has replaced a block of the span: begin without it.
 */
export async function* growSpan(
  gateway: Pick<GatewayClient, 'blockchainStatus' | 'blocks'>,
  accounts: readonly string[],
  { span: given, from = 0n, signal }: GrowOptions = {},
): AsyncGenerator<{ span: BlockSpan; newest: bigint }> {
  const { height: newest } = await gateway.blockchainStatus({ signal });
  if (given !== undefined && given.to > newest) throw new UnlinkedBlocksError(newest);
  for (let span = given; ; ) {
    if (span !== undefined) yield { span, newest };
    const [low, high] = nextRange(span, newest, from);
    if (low > high) return;
    span = extendSpan(span, await readBlocks(gateway, low, high, signal), accounts);
  }
}

/** The lowest and the highest height of the next request of `growSpan`. */
function nextRange(span: BlockSpan | undefined, newest: bigint, from: bigint): [bigint, bigint] {
  if (span !== undefined && span.to < newest) {
    const most = span.to + MAX_BLOCKS;
    return [span.to + 1n, most < newest ? most : newest];
  }
  const high = span === undefined ? newest : span.from - 1n;
  const low = high - MAX_BLOCKS + 1n;
  return [low < from ? from : low, high];
}

/** Reads blocks. Repeats the request, because a node returns fewer blocks than asked for if they are large. */
async function readBlocks(
  gateway: Pick<GatewayClient, 'blocks'>,
  from: bigint,
  to: bigint,
  signal: AbortSignal | undefined,
): Promise<Block[]> {
  const blocks: Block[] = [];
  for (let next = from; next <= to; next = from + BigInt(blocks.length)) {
    const more = await gateway.blocks(next, Number(to - next) + 1, { signal });
    if (more.length === 0) throw new UnlinkedBlocksError(next);
    blocks.push(...more);
  }
  return blocks;
}

/**
 * Adds consecutive blocks, in ascending order, directly above or below a span; `accounts` are those of the
 * span. Throws INVALID_INPUT without any block, and UnlinkedBlocksError if a block does not name the one below
 * it as its previous block, or if a transaction is in two places; blocks without hashes are not compared.
 */
export function extendSpan(
  span: BlockSpan | undefined,
  blocks: readonly Block[],
  accounts: readonly string[],
): BlockSpan {
  const added = blocks.map(block => spanOf(block, accounts));
  const others = new Set<string>();
  const inSpan = span?.activities.filter(({ height }) => height >= span.from) ?? [];
  const placed = new Set(inSpan.map(({ hash }) => toHex(hash)));
  for (const { height, transactions } of blocks) {
    for (const hash of transactions.map(each => toHex(each.hash))) {
      if (others.has(hash) || placed.has(hash)) throw new UnlinkedBlocksError(height);
      others.add(hash);
    }
  }
  // `findOpenings` may have added what the blocks have.
  const rest = span && {
    ...span,
    activities: span.activities.filter(({ hash }) => !others.has(toHex(hash))),
  };
  const parts = rest === undefined ? added : isBelow(blocks, rest) ? [...added, rest] : [rest, ...added];
  for (const [at, upper] of parts.entries()) if (at > 0) checkLink(parts[at - 1]!, upper);
  const [lowest, highest] = [parts[0], parts.at(-1)];
  if (lowest === undefined || highest === undefined) throw invalidInputError('a span begins with a block');
  const activities = parts.flatMap(part => part.activities);
  const own = new Set(activities.map(({ hash }) => toHex(hash)));
  const mayBeOwn = (hash: string) => own.has(hash) || (lowest.from > 0n && !others.has(hash));
  return {
    from: lowest.from,
    to: highest.to,
    previousHash: lowest.previousHash,
    hash: highest.hash,
    time: highest.time,
    listsExpired: parts.every(({ listsExpired }) => listsExpired),
    activities,
    endings: parts.flatMap(({ endings }) => endings).filter(({ escrowHash }) => mayBeOwn(escrowHash)),
  };
}

/**
 * Adds the escrows that were opened below the span and end in it. `find` returns the transaction with a hash
 * (in hex), or undefined if the chain does not have it. An end stays unknown if the transaction that is found
 * does not have its hash.
 */
export async function findOpenings(
  span: BlockSpan,
  accounts: readonly string[],
  find: (escrowHash: string) => Promise<BlockTransaction | undefined>,
): Promise<BlockSpan> {
  const activities: Activity[] = [];
  const foreign = new Set<string>();
  for (const escrowHash of new Set(unknownEndings(span).map(ending => ending.escrowHash))) {
    const found = await find(escrowHash);
    if (found?.isVerified !== true || toHex(found.hash) !== escrowHash) continue;
    const height = found.blockHeight ?? 0n;
    if (!accounts.some(account => takesPart(account, found))) foreign.add(escrowHash);
    // The blocks of the span do not have it.
    else if (height < span.from) activities.push({ ...found, height, position: 0, blockTime: undefined });
  }
  const endings = span.endings.filter(({ escrowHash }) => !foreign.has(escrowHash));
  return { ...span, activities: [...activities, ...span.activities], endings };
}

/** The ends of escrows that the span does not have: older blocks have them, if they are the accounts'. */
export function unknownEndings({ activities, endings }: BlockSpan): EscrowEnding[] {
  const known = new Set(activities.map(({ hash }) => toHex(hash)));
  return endings.filter(({ escrowHash }) => !known.has(escrowHash));
}

function takesPart(account: string, { sender, recipient, escrow }: BlockTransaction): boolean {
  return sender === account || recipient === account || escrow?.approver === account;
}

function isBelow(blocks: readonly Block[], span: BlockSpan): boolean {
  return blocks.length > 0 && blocks[0]!.height < span.from;
}

function checkLink(lower: BlockSpan, upper: BlockSpan): void {
  const isOther =
    upper.previousHash !== undefined && lower.hash !== undefined && upper.previousHash !== lower.hash;
  if (isOther || upper.from !== lower.to + 1n) throw new UnlinkedBlocksError(upper.from);
}

function spanOf(block: Block, accounts: readonly string[]): BlockSpan {
  const { height, timestamp, hash, previousHash, transactions, expired } = block;
  const place = (position: number) => ({ height, position, blockTime: timestamp });
  const activities = transactions.map((each, at) => ({ ...each, ...place(at) }));
  return {
    from: height,
    to: height,
    previousHash: previousHash && toHex(previousHash),
    hash: hash && toHex(hash),
    time: timestamp,
    listsExpired: expired !== undefined,
    activities: activities.filter(each => accounts.some(account => takesPart(account, each))),
    endings: [
      ...activities.flatMap(endingOf),
      // A block's escrows expire after its transactions.
      ...(expired ?? []).map(escrowHash => ({
        ...place(transactions.length),
        escrowHash: toHex(escrowHash),
        outcome: 'expired' as const,
      })),
    ],
  };
}

function endingOf({ content, isVerified, sender, height, position, blockTime }: Activity): EscrowEnding[] {
  if (content.kind !== 'decision') return [];
  const outcome = content.approval === EscrowDecision.Approve ? 'approved' : 'rejected';
  const decidedBy = isVerified ? sender : undefined;
  return [{ height, position, blockTime, escrowHash: toHex(content.escrowHash), outcome, decidedBy }];
}
