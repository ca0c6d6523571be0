import { accountText, parseAccount, toHex } from '@zbc-signer/chain';
import { type Clock, SYSTEM_CLOCK } from '../clock.js';
import { GatewayError } from '../errors.js';
import { type Dissent, digestOf, Witnesses, type WitnessOptions } from '../flow/chain/witnesses.js';
import { readOptions } from '../flow/input.js';
import type { Block } from '../gateway/index.js';
import type { AccountMovement } from './account-movements.js';
import { MAX_BLOCKS, UnlinkedBlocksError } from './block-span.js';
import { AccountScan, type HistoryPosition } from './history.js';

const POLL_MS = 5000;
/** Number of blocks that a reorganization can replace. */
const REMEMBERED = Number(MAX_BLOCKS);

/** The gateways to ask, and where to begin. */
export interface WatchOptions extends WitnessOptions, Partial<HistoryPosition> {
  /** Pause between two questions, in milliseconds. Default: 5000. */
  pollMs?: number | undefined;
  clock?: Clock | undefined;
}

/** What has happened to the account, or at the gateways. */
export type AccountEvent =
  /** A quorum reports the incoming payment in the same block, and its hash is that of its fields. */
  | { type: 'payment'; movement: AccountMovement }
  /** A quorum reports the payment, but its hash is not that of its fields, or blocks do not tell what it moves. */
  | { type: 'undetermined'; movement: AccountMovement }
  /** The chain has replaced the blocks from `height` on, and thereby these payments. */
  | { type: 'reorganization'; height: bigint; removed: AccountMovement[] }
  /** A gateway reports another block than the quorum, or does not answer. If there is no quorum, each gateway has one. */
  | ({ type: 'dissent' } & Dissent)
  /** The blocks could not be read. They are read again after the pause. */
  | { type: 'failure'; error: GatewayError }
  /** All payments below `next` were yielded. Pass it as options of the next call. */
  | { type: 'read'; next: HistoryPosition };

/** A block that was read, and the incoming payments in it. */
interface ReadBlock {
  digest: string;
  at: HistoryPosition;
  payments: AccountMovement[];
}

/**
 * Yields the incoming payments of an account (a `ZBC_` address or the wire form in hex) from block `from` on; by
 * default, from the next one on. Ends only by an abort, with AbortedError, or with UnlinkedBlocksError if the chain
 * has replaced the block with `previousHash`, or more than 100 blocks.
 */
export async function* watchAccount(account: string, given: WatchOptions): AsyncGenerator<AccountEvent> {
  const { from, previousHash, pollMs = POLL_MS, ...options } = readOptions(given, 'gateways');
  const { clock = SYSTEM_CLOCK, signal } = options;
  const address = accountText(parseAccount(account));
  const witnesses = new Witnesses(options);
  const dissents = new DissentLog();
  let watch: Watch | undefined;
  for (;;) {
    try {
      const start = async () => ({ from: from ?? (await witnesses.newest()) + 1n, previousHash });
      watch ??= new Watch(address, await start());
      // One reorganization a pause: a gateway may replace its newest block at each question.
      for (let isMore = true, wasReplaced = false; isMore; ) {
        const { next } = watch;
        const read = await witnesses.blocks(watch.from, Number(MAX_BLOCKS));
        yield* dissents.fresh(read.dissent);
        yield* await watch.take(read.blocks, witnesses);
        isMore = watch.next > next || (watch.next < next && !wasReplaced);
        wasReplaced ||= watch.next < next;
      }
    } catch (error) {
      const isOver = error instanceof UnlinkedBlocksError && watch?.isAtStart === true;
      if (isOver || !(error instanceof GatewayError)) throw error;
      yield { type: 'failure', error };
    }
    await clock.sleep(pollMs, signal);
  }
}

class Watch {
  readonly #scan: AccountScan;
  /** The newest blocks that were read, oldest first. */
  #blocks: ReadBlock[] = [];

  constructor(
    private readonly account: string,
    start: HistoryPosition,
  ) {
    this.#scan = new AccountScan(account, start);
  }

  /** The height to read from: that of the newest block that was read, which may have been replaced. */
  get from(): bigint {
    return (this.#blocks.at(-1)?.at ?? this.#scan.next).from;
  }

  /** The height of the next block. */
  get next(): bigint {
    return this.#scan.next.from;
  }

  /** Whether no block is remembered with which a replaced one could be found. */
  get isAtStart(): boolean {
    return this.#blocks.length === 0;
  }

  /** Takes the blocks from `from` on; none if there is nothing new. Changes nothing if it throws. */
  async take(blocks: readonly Block[], witnesses: Witnesses): Promise<AccountEvent[]> {
    const newest = this.#blocks.at(-1);
    if (newest === undefined) return this.#add(blocks, witnesses);
    const [again, ...added] = blocks;
    if (again === undefined) return [];
    if (digestOf(again) !== newest.digest) return this.#reorganize(witnesses);
    // A node returns fewer blocks than asked for if they are large, and possibly only the known one.
    const isCut = added.length === 0;
    const more = isCut ? (await witnesses.blocks(this.next, REMEMBERED)).blocks : added;
    return this.#add(more, witnesses);
  }

  async #add(blocks: readonly Block[], witnesses: Witnesses): Promise<AccountEvent[]> {
    if (blocks.length === 0) return [];
    const before = this.#scan.next;
    const { movements } = await this.#scan.add(blocks, hash => witnesses.transaction(hash));
    const incoming = movements.filter(movement => isIncoming(this.account, movement));
    for (const [at, block] of blocks.entries()) {
      const below = blocks[at - 1];
      const position = below === undefined ? before : positionAbove(below);
      const payments = incoming.filter(
        movement => movement.height === block.height && !isUndetermined(movement),
      );
      this.#blocks.push({ digest: digestOf(block), at: position, payments });
    }
    this.#blocks = this.#blocks.slice(-REMEMBERED);
    return [
      ...incoming.map(
        (movement): AccountEvent => ({
          type: isUndetermined(movement) ? 'undetermined' : 'payment',
          movement,
        }),
      ),
      { type: 'read', next: this.#scan.next },
    ];
  }

  /** Finds the lowest block that the chain has replaced, and continues below it. */
  async #reorganize(witnesses: Witnesses): Promise<AccountEvent[]> {
    const { from } = this.#blocks[0]!.at;
    const blocks: Block[] = [];
    for (let isMore = true; isMore && blocks.length < this.#blocks.length; ) {
      const left = this.#blocks.length - blocks.length;
      const more = await witnesses.blocks(from + BigInt(blocks.length), left);
      blocks.push(...more.blocks);
      isMore = more.blocks.length > 0;
    }
    const kept = this.#blocks.findIndex(
      ({ digest }, at) => blocks[at] === undefined || digest !== digestOf(blocks[at]),
    );
    const replaced = this.#blocks.slice(kept);
    // The quorum does not agree on the blocks below yet.
    if (kept < 0 || blocks[kept] === undefined) return [];
    const { at } = replaced[0]!;
    this.#blocks = this.#blocks.slice(0, kept);
    this.#scan.goBack(at);
    const removed = replaced.flatMap(({ payments }) => payments);
    return [{ type: 'reorganization', height: at.from, removed }];
  }
}

function positionAbove({ height, hash }: Block): HistoryPosition {
  return { from: height + 1n, previousHash: hash && toHex(hash) };
}

function isUndetermined({ status }: AccountMovement): boolean {
  return status === 'undetermined';
}

/** Whether another account caused a movement that adds coins or tokens, or may do so. A refund is no payment. */
function isIncoming(account: string, movement: AccountMovement): boolean {
  const { kind, amount = 0n, transaction } = movement;
  return isUndetermined(movement) ? transaction?.sender !== account : amount > 0n && kind !== 'refund';
}

/** Makes an event of a dissent only once, not at each question. */
class DissentLog {
  #last = new Map<string, string>();

  fresh(dissent: readonly Dissent[]): AccountEvent[] {
    const now = new Map(dissent.map(({ url, height, error }) => [url, error?.code ?? `${height}`]));
    const fresh = dissent.filter(({ url, height, error }) => {
      const key = error?.code ?? `${height}`;
      return now.get(url) === key && this.#last.get(url) !== key;
    });
    this.#last = now;
    return fresh.map(each => ({ type: 'dissent', ...each }));
  }
}
