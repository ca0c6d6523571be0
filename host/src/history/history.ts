import { accountText, parseAccount, toHex } from '@zbc-signer/chain';
import { disagreementError, Witnesses, type WitnessOptions } from '../flow/chain/witnesses.js';
import { readOptions } from '../flow/input.js';
import type { Block, Movement } from '../gateway/index.js';
import {
  type AccountMovement,
  accountMovements,
  isDetermined,
  listsAllRewards,
} from './account-movements.js';
import { type BlockSpan, extendSpan, findOpenings, MAX_BLOCKS, UnlinkedBlocksError } from './block-span.js';

const MAX_LISTED = 100;

/** Where to continue: plain data that can be stored. */
export interface HistoryPosition {
  /** The height of the next block to read. */
  from: bigint;
  /** The hash of the block below, in hex; undefined if no block was read or it has no hash. */
  previousHash?: string | undefined;
}

/** The gateways to ask, and the position that the last page of an earlier call has as `next`. */
export interface HistoryOptions extends WitnessOptions, Partial<HistoryPosition> {}

/** What some consecutive blocks have about an account. */
export interface HistoryPage {
  /** Oldest first. An escrow has a row of its own when it ends; a `status` is that after the page. */
  movements: AccountMovement[];
  /** Whether blocks determine all payments, fees and escrows of the page, as in the function `isDetermined`. */
  isDetermined: boolean;
  /** Whether a quorum lists the same rewards of the page and no more. No block shows them. */
  listsAllRewards: boolean;
  /** Store it in one transaction with the movements, and pass it as options of the next call. */
  next: HistoryPosition;
}

/**
 * Yields the movements of an account (a `ZBC_` address or the wire form in hex) from block `from` (default: 0) to
 * the newest one, oldest first, from blocks and rewards that a quorum of the gateways reports alike. The balance before a page,
 * plus all its amounts, less all its fees, is the balance after it, if `isDetermined` and `listsAllRewards`. Throws
 * `GATEWAYS_DISAGREE`, UnlinkedBlocksError if the chain has replaced the block with `previousHash`, or a GatewayError.
 */
export async function* history(account: string, given: HistoryOptions): AsyncGenerator<HistoryPage> {
  const { from = 0n, previousHash, ...options } = readOptions(given, 'gateways');
  const address = accountText(parseAccount(account));
  const witnesses = new Witnesses(options);
  const newest = await witnesses.newest();
  const agreeOn = await witnesses.movements(MAX_LISTED);
  const scan = new AccountScan(address, { from, previousHash });
  while (scan.next.from <= newest) {
    const { from } = scan.next;
    const left = newest - from + 1n;
    const { blocks, dissent } = await witnesses.blocks(from, Number(left < MAX_BLOCKS ? left : MAX_BLOCKS));
    const to = blocks.at(-1)?.height;
    if (to === undefined) throw disagreementError(from, dissent);
    const rewards = agreeOn(list => ({
      isWhole: listsAllRewards({ from }, list, MAX_LISTED),
      own: list.filter(
        ({ account, blockHeight = -1n }) => account === address && blockHeight >= from && blockHeight <= to,
      ),
    }));
    const read = await scan.add(blocks, hash => witnesses.transaction(hash), rewards?.own);
    yield { ...read, listsAllRewards: rewards?.isWhole === true, next: scan.next };
  }
}

type Find = Parameters<typeof findOpenings>[2];

/** The part of a chain that was read for an account, upwards. It keeps only what later blocks may refer to. */
export class AccountScan {
  #next: HistoryPosition;
  #span: BlockSpan | undefined;
  /** Hashes in hex of the account's transactions, with their heights. A chain has a transaction only once. */
  readonly #heights = new Map<string, bigint>();
  /** Hashes in hex of transactions that do not have their hashes. */
  readonly #unverifiable = new Set<string>();

  constructor(
    private readonly account: string,
    start: HistoryPosition,
  ) {
    this.#next = start;
  }

  get next(): HistoryPosition {
    return this.#next;
  }

  /** Forgets the blocks from a position of an earlier `next` on. */
  goBack(position: HistoryPosition): void {
    const isBelow = ({ height }: { height: bigint }) => height < position.from;
    const span = this.#span;
    this.#span =
      span && position.from > span.from
        ? {
            ...span,
            to: position.from - 1n,
            hash: position.previousHash,
            activities: span.activities.filter(isBelow),
            endings: span.endings.filter(isBelow),
          }
        : undefined;
    for (const [hash, height] of this.#heights) if (height >= position.from) this.#heights.delete(hash);
    this.#next = position;
  }

  /** Adds the next blocks. Changes nothing if it throws: UnlinkedBlocksError, or what `find` throws. */
  async add(
    blocks: readonly Block[],
    find: Find,
    movements: readonly Movement[] = [],
  ): Promise<Pick<HistoryPage, 'movements' | 'isDetermined'>> {
    const { from, previousHash } = this.#next;
    const [first] = blocks;
    const isOther =
      previousHash !== undefined && first?.previousHash && toHex(first.previousHash) !== previousHash;
    if (isOther) throw new UnlinkedBlocksError(from);
    const own = [this.account];
    const span = await findOpenings(extendSpan(this.#span, blocks, own), own, async hash => {
      if (this.#unverifiable.has(hash)) return undefined;
      const found = await find(hash);
      if (found?.isVerified === false) this.#unverifiable.add(hash);
      return found;
    });
    const added = span.activities.filter(({ height }) => height >= from);
    const repeated = added.find(({ hash }) => this.#heights.has(toHex(hash)));
    if (repeated !== undefined) throw new UnlinkedBlocksError(repeated.height);
    const isAdded = (height = -1n) => height >= from && height <= span.to;
    const listed = movements.filter(({ blockHeight }) => isAdded(blockHeight));
    const all = accountMovements(this.account, span, { transactions: [], movements: listed });
    for (const { hash, height } of added) this.#heights.set(toHex(hash), height);
    this.#span = { ...span, activities: span.activities.filter(({ escrow }) => escrow !== undefined) };
    this.#next = { from: span.to + 1n, previousHash: span.hash };
    const rows = all.filter(({ height }) => isAdded(height));
    return { movements: rows, isDetermined: isDetermined(span, all) };
  }
}
