import { setTimeout as pause } from 'node:timers/promises';
import { fieldOf, integerOf } from '../base/node-json.js';
import { malformed, type ReadJson } from '../proxy/chain-reader.js';
import { Cancellation } from '../upstream/cancellation.js';
import type { BlockHead, BlockHistory } from './block-history.js';

export interface FeedBlock {
  head: BlockHead;
  /** Hashes of its transactions, lower hex. */
  hashes: ReadonlySet<string>;
}

export interface FeedListener {
  onBlock(block: FeedBlock): void;
  /** Called when the chain was replaced and everything reported so far is invalid. */
  onReplaced(): void;
}

const WAIT_MS = 10_000;
/** A block of a mebibyte, in hex and JSON, is less than half of this. */
const MAX_BLOCK_BYTES = 8_388_608;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** The pauses must not keep the process running. */
const UNHELD = { ref: false };
/** This many empty answers in a row below the known height mean a relaunched chain, not a lagging node. */
const MAX_BELOW = 3;
const HASH = /^[0-9a-f]{64}$/i;

/** Follows the chain with one long poll for all listeners, and stops without any. */
export class BlockFeed {
  readonly #read: ReadJson;
  readonly #listeners = new Set<FeedListener>();
  readonly #history: BlockHistory;
  /** The greatest known height of the chain. */
  #height = 0n;
  #starting: Promise<void> | undefined;
  #cancellation = new Cancellation();
  #isRunning = false;
  #stopped = false;

  constructor(read: ReadJson, history: BlockHistory) {
    this.#read = read;
    this.#history = history;
  }

  /**
   * Returns the chain's height, after which all blocks will be reported; earlier blocks that were missed
   * without a listener may be reported too. Throws RequestError if no node reports its height.
   */
  async listen(listener: FeedListener): Promise<bigint> {
    this.#listeners.add(listener);
    try {
      this.#starting ??= this.#start();
      await this.#starting;
      return this.#height;
    } catch (error) {
      this.leave(listener);
      throw error;
    }
  }

  leave(listener: FeedListener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#starting = undefined;
    this.#cancellation.cancel();
  }

  /** The kept blocks above a height. */
  after(height: bigint): readonly BlockHead[] {
    return this.#history.after(height);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancellation.cancel();
  }

  /** Continues after the last block if that is recent, so that a client may resume. */
  async #start(): Promise<void> {
    const height = await this.#readHeight();
    if (!this.#history.reaches(height)) this.#history.restartAt(height);
    this.#height = height;
    this.#cancellation = new Cancellation();
    if (!this.#isRunning) void this.#run();
  }

  async #readHeight(): Promise<bigint> {
    return requireInteger(await this.#read('/api/v1/blockchain/status'), 'height');
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let pauseMs = FIRST_PAUSE_MS;
    let below = 0;
    while (this.#listeners.size > 0 && !this.#stopped) {
      try {
        const block = await this.#next();
        // A stopped feed must not write to the history, which may belong to another feed.
        if (this.#stopped) break;
        if (block === undefined) {
          below = (await this.#readHeight()) < (this.#history.tip ?? 0n) ? below + 1 : 0;
          if (below >= MAX_BELOW && !this.#stopped) this.#replace();
          // The pause keeps a node that answers at once from being polled without end.
          await pause(FIRST_PAUSE_MS, undefined, UNHELD);
        } else {
          this.#publish(block);
        }
        pauseMs = FIRST_PAUSE_MS;
      } catch {
        if (this.#listeners.size > 0 && !this.#stopped) await pause(pauseMs, undefined, UNHELD);
        pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
      }
    }
    this.#isRunning = false;
  }

  async #next(): Promise<FeedBlock | undefined> {
    if (this.#history.tip === undefined) this.#history.restartAt(await this.#readHeight());
    const next = (this.#history.tip ?? 0n) + 1n;
    const path = `/api/v1/blocks?from=${next}&limit=1&wait_ms=${WAIT_MS}`;
    // The reads have a separate pool, because clients that wait for blocks must not delay events.
    const limits = { cancellation: this.#cancellation, maxBytes: MAX_BLOCK_BYTES, pool: 'own' } as const;
    const blocks = fieldOf(await this.#read(path, limits), 'blocks');
    if (!Array.isArray(blocks)) throw malformed();
    return blocks.length === 0 ? undefined : readBlock(blocks[0], next);
  }

  #publish(block: FeedBlock): void {
    const { last } = this.#history;
    if (last !== undefined && last.block_hash !== block.head.previous_block_hash) {
      this.#replace();
      return;
    }
    this.#history.add(block.head);
    if (block.head.height > this.#height) this.#height = block.head.height;
    for (const listener of [...this.#listeners]) listener.onBlock(block);
  }

  #replace(): void {
    this.#history.restartAt(undefined);
    this.#height = 0n;
    for (const listener of [...this.#listeners]) listener.onReplaced();
  }
}

/** Throws RequestError 502 for anything except the block of this height. */
function readBlock(value: unknown, height: bigint): FeedBlock {
  const transactions = fieldOf(value, 'transactions');
  if (integerOf(value, 'height') !== height || !Array.isArray(transactions)) throw malformed();
  const head = {
    height,
    block_hash: hashOf(value, 'block_hash'),
    previous_block_hash: hashOf(value, 'previous_block_hash'),
    timestamp: requireInteger(value, 'timestamp'),
    transaction_count: requireInteger(value, 'transaction_count'),
  };
  return { head, hashes: new Set(transactions.map(each => hashOf(each, 'transaction_hash'))) };
}

function hashOf(value: unknown, name: string): string {
  const hash = fieldOf(value, name);
  if (typeof hash !== 'string' || !HASH.test(hash)) throw malformed();
  return hash.toLowerCase();
}

function requireInteger(value: unknown, name: string): bigint {
  const integer = integerOf(value, name);
  if (integer === undefined) throw malformed();
  return integer;
}
