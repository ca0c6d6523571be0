import { toHex } from '@zbc-signer/chain';
import { type Block, type BlockTransaction, type GatewayClient, GatewayError } from '@zbc-signer/host';
import { type Browser, currentBrowser } from './browser.js';
import { Database, requested } from './database.js';

const DATABASE = 'zbc-signer activity';
/** One record per chain, by its genesis hash in hex. */
const CHAINS = 'chains';
/** Version of the records; records of another version are discarded and read from the chain again. */
const FORMAT = 1;
const BLOCKS_A_REQUEST = 100n;
/** If an account has more, the oldest are omitted. */
const MAX_ACTIVITIES = 20_000;
/** Time between two writes, because each writes the whole record. */
const KEPT_EVERY_MS = 2000;

/** A transaction of a block in which an account of this wallet takes part. `blockTime` is in Unix seconds. */
export interface Activity extends BlockTransaction {
  height: bigint;
  blockTime: bigint | undefined;
}

/** Blocks that are read without a gap: from and to a height, of a chain whose newest height is `newest`. */
export interface ActivityProgress {
  from: bigint;
  to: bigint;
  newest: bigint;
}

/** The record of a chain; `previousHash` is that of its lowest block, `hash` that of its highest. */
interface Kept {
  format: typeof FORMAT;
  accounts: readonly string[];
  from: bigint;
  to: bigint;
  previousHash: string | undefined;
  hash: string | undefined;
  activities: Activity[];
}

/** Consecutive blocks. */
type Run = Omit<Kept, 'format' | 'accounts'>;

/** A block does not name the hash of the block before it, or the chain has replaced a block that was read. */
class UnlinkedBlocksError extends GatewayError {
  override readonly name = 'UnlinkedBlocksError';
  constructor(height: bigint) {
    super(
      'GATEWAY_MALFORMED',
      `the block ${height} of the gateway is not the successor of the one before it`,
    );
  }
}

/**
 * The transactions in which some accounts take part, from the newest block back to the first. They are kept in
 * IndexedDB, so that a later call continues where an earlier one ended. Blocks must be linked by their hashes; if the
 * chain has replaced a block that was read, all blocks are read again.
 */
export class ActivityIndex {
  readonly #database: Database;
  readonly #chain: string;
  #kept: Kept | undefined;

  /** `genesisHash` has 32 bytes; `accounts` are `ZBC_` addresses. */
  constructor(
    private readonly gateway: GatewayClient,
    genesisHash: Uint8Array,
    private readonly accounts: readonly string[],
    browser: Browser = currentBrowser(),
  ) {
    this.#chain = toHex(genesisHash);
    this.#database = new Database(browser, DATABASE, [CHAINS]);
  }

  /** The activities of one account, newest first. */
  of(account: string): Activity[] {
    const own = this.#kept?.activities.filter(activity => takesPart(account, activity)) ?? [];
    return own.sort((one, other) => Number(other.height - one.height));
  }

  /** Reads what this browser has kept, without a request. */
  async load(): Promise<void> {
    this.#kept ??= await this.#load();
  }

  /**
   * Reads newer blocks, then older ones. Calls `onProgress` when the kept record is loaded, and after each request.
   * Rejects with a GatewayError or AbortedError; blocks that were read stay. A browser that stores nothing is not
   * an error.
   */
  async follow(signal: AbortSignal, onProgress: (progress: ActivityProgress) => void): Promise<void> {
    await this.load();
    try {
      await this.#follow(signal, onProgress);
    } catch (error) {
      if (!(error instanceof UnlinkedBlocksError)) throw error;
      this.#kept = undefined;
      await this.#follow(signal, onProgress);
    } finally {
      await this.#save();
    }
  }

  async #follow(signal: AbortSignal, onProgress: (progress: ActivityProgress) => void): Promise<void> {
    const { height: newest } = await this.gateway.blockchainStatus({ signal });
    if (this.#kept !== undefined && this.#kept.to > newest) throw new UnlinkedBlocksError(newest);
    let savedAt = Date.now();
    const advance = async (from: bigint, to: bigint): Promise<Kept> => {
      const kept = this.#join(await this.#read(from, to, signal));
      if (Date.now() - savedAt > KEPT_EVERY_MS) {
        await this.#save();
        savedAt = Date.now();
      }
      onProgress({ from: kept.from, to: kept.to, newest });
      return kept;
    };
    let kept = this.#kept ?? (await advance(before(newest), newest));
    onProgress({ from: kept.from, to: kept.to, newest });
    while (kept.to < newest) {
      const to = kept.to + BLOCKS_A_REQUEST;
      kept = await advance(kept.to + 1n, to < newest ? to : newest);
    }
    while (kept.from > 0n && kept.activities.length < MAX_ACTIVITIES) {
      kept = await advance(before(kept.from - 1n), kept.from - 1n);
    }
  }

  /** Repeats the request, because a node returns fewer blocks than asked for if they are large. */
  async #read(from: bigint, to: bigint, signal: AbortSignal): Promise<Run> {
    let read: Run | undefined;
    while (read === undefined || read.to < to) {
      const next = read === undefined ? from : read.to + 1n;
      const blocks = await this.gateway.blocks(next, Number(to - next) + 1, { signal });
      if (blocks.length === 0) throw new UnlinkedBlocksError(next);
      for (const block of blocks) {
        const own = this.#runOf(block);
        read = read === undefined ? own : link(read, own);
      }
    }
    return read;
  }

  #runOf({ height, timestamp, hash, previousHash, transactions }: Block): Run {
    const own = transactions.filter(transaction =>
      this.accounts.some(account => takesPart(account, transaction)),
    );
    return {
      from: height,
      to: height,
      previousHash: previousHash && toHex(previousHash),
      hash: hash && toHex(hash),
      activities: own.map(transaction => ({ ...transaction, height, blockTime: timestamp })),
    };
  }

  #join(run: Run): Kept {
    const { accounts } = this;
    const old = this.#kept;
    const joined = old === undefined ? run : run.to < old.from ? link(run, old) : link(old, run);
    this.#kept = { format: FORMAT, accounts, ...joined };
    return this.#kept;
  }

  /** Undefined if nothing is kept, or if an account is not covered by it. */
  async #load(): Promise<Kept | undefined> {
    try {
      const kept = await this.#database.transact(CHAINS, 'readonly', store =>
        requested<Kept | undefined>(store.get(this.#chain)),
      );
      const isWhole = kept?.format === FORMAT && this.accounts.every(own => kept.accounts.includes(own));
      return isWhole ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  async #save(): Promise<void> {
    const kept = this.#kept;
    if (kept === undefined) return;
    await this.#database
      .transact(CHAINS, 'readwrite', store => requested(store.put(kept, this.#chain)))
      .catch(() => undefined);
  }
}

/** Joins two runs; throws UnlinkedBlocksError. Blocks without hashes are accepted unchecked. */
function link(lower: Run, upper: Run): Run {
  const [previous, hash] = [upper.previousHash, lower.hash];
  if (previous !== undefined && hash !== undefined && previous !== hash)
    throw new UnlinkedBlocksError(upper.from);
  return {
    from: lower.from,
    to: upper.to,
    previousHash: lower.previousHash,
    hash: upper.hash,
    activities: [...lower.activities, ...upper.activities],
  };
}

/** The first of the blocks of one request that ends with `height`. */
function before(height: bigint): bigint {
  return height < BLOCKS_A_REQUEST ? 0n : height - BLOCKS_A_REQUEST + 1n;
}

function takesPart(account: string, { sender, recipient, escrow }: BlockTransaction): boolean {
  return sender === account || recipient === account || escrow?.approver === account;
}
