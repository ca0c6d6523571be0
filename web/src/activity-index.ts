import { toHex } from '@zbc-signer/chain';
import { type BlockSpan, type GatewayClient, growSpan, UnlinkedBlocksError } from '@zbc-signer/host';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { callListener } from '@zbc-signer/protocol/callbacks';
import { type Browser, currentBrowser } from './browser.js';
import { Database, requested } from './database.js';

const DATABASE = 'zbc-signer activity';
/** Object store with one record per chain and gateway, because only the gateway vouches for it. */
const CHAINS = 'chains';
/** Version of the records; records of another version are discarded and read from the chain again. */
const FORMAT = 3;
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
  /** The chain's genesis hash in hex, and the gateway's URLs. */
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
    this.#key = `${toHex(genesisHash)} ${gateway.urls.join(' ')}`;
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
    let savedAt = Date.now();
    const growing = growSpan(this.gateway, this.accounts, { span: this.#span, signal });
    for await (const { span, newest } of growing) {
      this.#span = span;
      if (Date.now() - savedAt > KEPT_EVERY_MS) {
        await this.#save();
        savedAt = Date.now();
      }
      void callListener(onProgress, { from: span.from, to: span.to, newest });
      if (span.to === newest && span.activities.length >= MAX_ACTIVITIES) return;
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
