import { toHex } from '@zbc-signer/chain';
import { type Block, type BlockTransaction, type GatewayClient, GatewayError } from '@zbc-signer/host';
import { type Browser, currentBrowser } from './browser.js';
import { Database, requested } from './database.js';

const DATABASE = 'zbc-signer activity';
/** Object store with one record per chain; the key is the chain's genesis hash in hex. */
const CHAINS = 'chains';
/** Version of the records; records of another version are discarded and read from the chain again. */
const FORMAT = 1;
const BLOCKS_A_REQUEST = 100n;
/** If the accounts have more activities, the oldest ones are omitted. */
const MAX_ACTIVITIES = 20_000;
/** Minimum time between two writes. It is long because each writes the whole record. */
const KEPT_EVERY_MS = 2000;

/** A transaction in which an account of this wallet takes part. `blockTime` is in Unix seconds. */
export interface Activity extends BlockTransaction {
  height: bigint;
  blockTime: bigint | undefined;
}

/** The heights `from` to `to`, of which every block was read; `newest` is the height of the newest block. */
export interface ActivityProgress {
  from: bigint;
  to: bigint;
  newest: bigint;
}

/**
 * The record of a chain. `previousHash` is from the lowest block that was read, and `hash` is the hash of the
 * highest one.
 */
interface Kept {
  format: typeof FORMAT;
  accounts: readonly string[];
  from: bigint;
  to: bigint;
  previousHash: string | undefined;
  hash: string | undefined;
  activities: Activity[];
}

/** Consecutive blocks, from the lowest to the highest. */
type Run = Omit<Kept, 'format' | 'accounts'>;

/**
 * The previous hash in a block is not the hash of the block below it, as after a reorganization of the chain.
 */
class UnlinkedBlocksError extends GatewayError {
  override readonly name = 'UnlinkedBlocksError';
  constructor(height: bigint) {
    super('GATEWAY_MALFORMED', `block ${height} of the gateway does not follow the block below it`);
  }
}

/**
 * The transactions in which the given accounts take part, from the newest block down to the first. They are
 * stored in IndexedDB, so that a later call continues where an earlier call ended. Blocks must be linked by
 * their hashes. If the chain has replaced a block that was read, all blocks are read again.
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
    return this.#kept?.activities.filter(activity => takesPart(account, activity)).reverse() ?? [];
  }

  /** Reads the record that this browser has stored, without a request to the gateway. */
  async load(): Promise<void> {
    this.#kept ??= await this.#load();
  }

  /**
   * Reads newer blocks, then older blocks. Calls `onProgress` when the stored record is loaded, and after
   * each request. Rejects with a GatewayError or AbortedError; the blocks that were read until then are kept.
   * It is not an error if the browser stores nothing.
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

  /** Returns undefined if nothing is stored, or if the stored record does not cover every account. */
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

/** Joins two runs; throws UnlinkedBlocksError. The link is not checked if a block has no hash. */
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

/** The lowest height of a request whose highest height is `height`. */
function before(height: bigint): bigint {
  return height < BLOCKS_A_REQUEST ? 0n : height - BLOCKS_A_REQUEST + 1n;
}

function takesPart(account: string, { sender, recipient, escrow }: BlockTransaction): boolean {
  return sender === account || recipient === account || escrow?.approver === account;
}
