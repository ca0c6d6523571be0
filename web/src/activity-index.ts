import { toHex } from '@zbc-signer/chain';
import {
  type BlockSpan,
  extendSpan,
  type GatewayClient,
  readBlocks,
  UnlinkedBlocksError,
} from '@zbc-signer/host';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { callListener } from '@zbc-signer/protocol/callbacks';
import { type Browser, currentBrowser } from './browser.js';
import { Database, requested } from './database.js';

const DATABASE = 'zbc-signer activity';
/** Object store with one record per chain and gateway, because only the gateway vouches for it. */
const CHAINS = 'chains';
/** Version of the records; records of another version are discarded and read from the chain again. */
const FORMAT = 3;
const BLOCKS_A_REQUEST = 100n;
/** If the accounts have more activities, the oldest ones are omitted. */
const MAX_ACTIVITIES = 20_000;
/** Minimum time between two writes. It is long because each writes the whole record. */
const KEPT_EVERY_MS = 2000;

/** The heights `from` to `to`, of which every block was read; `newest` is the height of the newest block. */
export interface ActivityProgress {
  from: bigint;
  to: bigint;
  newest: bigint;
}

/** The record of a chain as one gateway reports it. */
interface Kept {
  format: typeof FORMAT;
  accounts: readonly string[];
  span: BlockSpan;
}

/**
 * What the blocks have about the given accounts, from the newest block down to the first. It is
 * stored in IndexedDB, so that a later call continues where an earlier call ended. Blocks must be linked by
 * their hashes. If the chain has replaced a block that was read, all blocks are read again.
 */
export class ActivityIndex {
  readonly #database: Database;
  /** The chain's genesis hash in hex, and the gateway's URL. */
  readonly #key: string;
  #span: BlockSpan | undefined;

  /** `genesisHash` has 32 bytes; `accounts` are `ZBC_` addresses. */
  constructor(
    private readonly gateway: GatewayClient,
    genesisHash: Uint8Array,
    private readonly accounts: readonly string[],
    browser: Browser = currentBrowser(),
  ) {
    bindMembers(this);
    this.#key = `${toHex(genesisHash)} ${gateway.url}`;
    this.#database = new Database(browser, DATABASE, [CHAINS]);
  }

  /** What the blocks that were read have about the accounts; undefined before the first one was read. */
  get span(): BlockSpan | undefined {
    return this.#span;
  }

  /** Reads the record that this browser has stored, without a request to the gateway. */
  async load(): Promise<void> {
    this.#span ??= await this.#load();
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
      this.#span = undefined;
      await this.#follow(signal, onProgress);
    } finally {
      await this.#save();
    }
  }

  async #follow(signal: AbortSignal, onProgress: (progress: ActivityProgress) => void): Promise<void> {
    const { height: newest } = await this.gateway.blockchainStatus({ signal });
    if (this.#span !== undefined && this.#span.to > newest) throw new UnlinkedBlocksError(newest);
    const report = ({ from, to }: BlockSpan) => void callListener(onProgress, { from, to, newest });
    let savedAt = Date.now();
    const read = (from: bigint, limit: number) => this.gateway.blocks(from, limit, { signal });
    const advance = async (from: bigint, to: bigint): Promise<BlockSpan> => {
      const span = extendSpan(this.#span, await readBlocks(read, from, to), this.accounts);
      this.#span = span;
      if (Date.now() - savedAt > KEPT_EVERY_MS) {
        await this.#save();
        savedAt = Date.now();
      }
      report(span);
      return span;
    };
    let span = this.#span ?? (await advance(before(newest), newest));
    report(span);
    while (span.to < newest) {
      const to = span.to + BLOCKS_A_REQUEST;
      span = await advance(span.to + 1n, to < newest ? to : newest);
    }
    while (span.from > 0n && span.activities.length < MAX_ACTIVITIES) {
      span = await advance(before(span.from - 1n), span.from - 1n);
    }
  }

  /** Returns undefined if nothing is stored, or if the stored record does not cover every account. */
  async #load(): Promise<BlockSpan | undefined> {
    try {
      const kept = await this.#database.transact(CHAINS, 'readonly', store =>
        requested<Kept | undefined>(store.get(this.#key)),
      );
      const isWhole = kept?.format === FORMAT && this.accounts.every(own => kept.accounts.includes(own));
      return isWhole ? kept.span : undefined;
    } catch {
      return undefined;
    }
  }

  async #save(): Promise<void> {
    if (this.#span === undefined) return;
    const kept: Kept = { format: FORMAT, accounts: this.accounts, span: this.#span };
    await this.#database
      .transact(CHAINS, 'readwrite', store => requested(store.put(kept, this.#key)))
      .catch(() => undefined);
  }
}

/** The lowest height of a request whose highest height is `height`. */
function before(height: bigint): bigint {
  return height < BLOCKS_A_REQUEST ? 0n : height - BLOCKS_A_REQUEST + 1n;
}
