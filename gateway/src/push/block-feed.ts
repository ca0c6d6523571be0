import { setTimeout as pause } from 'node:timers/promises';
import { fieldOf, integerOf } from '../base/node-json.js';
import { malformed, type ReadJson } from '../proxy/chain-reader.js';
import { Cancellation } from '../upstream/cancellation.js';
import { OversizedResponseError } from '../upstream/response-body.js';
import type { BlockHead, BlockHistory } from './block-history.js';

export interface FeedBlock {
  head: BlockHead;
  /** Hashes of the block's transactions, in lower-case hex. */
  hashes: ReadonlySet<string>;
}

export interface FeedListener {
  onBlock(block: FeedBlock): void;
  /** Called when the chain was replaced, so that everything reported so far is invalid. */
  onReplaced(): void;
}

const WAIT_MS = 10_000;
/**
 * Maximum size of a response with a block. A block of 1 MiB, written as hex in JSON, needs less than half of
 * it.
 */
const MAX_BLOCK_BYTES = 8_388_608;
/** If this many responses in a row with the same block are larger than the limit, the block is skipped. */
const MAX_OVERSIZED = 3;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** The pauses must not keep the process running. */
const UNHELD = { ref: false };
/**
 * If the node has answered this many times in a row without a block, and its height is below the known one,
 * the chain was started again; the node does not merely lag.
 */
const MAX_BELOW = 3;
const HASH = /^[0-9a-f]{64}$/i;

/** Follows the chain with one long poll for all listeners. Stops when there is no listener. */
export class BlockFeed {
  readonly #read: ReadJson;
  readonly #listeners = new Set<FeedListener>();
  readonly #history: BlockHistory;
  /** The greatest known height of the chain. */
  #height = 0n;
  /** Number of responses in a row that were too large. */
  #oversized = 0;
  #starting: Promise<void> | undefined;
  #cancellation = new Cancellation();
  #isRunning = false;
  #stopped = false;

  constructor(read: ReadJson, history: BlockHistory) {
    this.#read = read;
    this.#history = history;
  }

  /**
   * Adds a listener. Returns the chain's height; all blocks above it will be reported. Earlier blocks that
   * were missed while there was no listener may be reported too. Throws RequestError if no node reports its
   * height.
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

  /** Returns the kept blocks above a height. */
  after(height: bigint): readonly BlockHead[] {
    return this.#history.after(height);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancellation.cancel();
  }

  /** Continues after the last kept block if that is recent, so that a client may resume. */
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
          // Without this pause, a node that answers at once would be polled continuously.
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
    // These reads use a separate pool, because clients that wait for blocks must not delay events.
    const limits = { cancellation: this.#cancellation, maxBytes: MAX_BLOCK_BYTES, pool: 'own' } as const;
    const answer = await this.#read(path, limits).catch(error => {
      if (error instanceof OversizedResponseError) this.#countOversized(next);
      throw error;
    });
    this.#oversized = 0;
    const blocks = fieldOf(answer, 'blocks');
    if (!Array.isArray(blocks)) throw malformed();
    return blocks.length === 0 ? undefined : readBlock(blocks[0], next);
  }

  #countOversized(height: bigint): void {
    this.#oversized += 1;
    if (this.#oversized < MAX_OVERSIZED) return;
    this.#oversized = 0;
    this.#history.restartAt(height);
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

/** Reads a block. Throws RequestError 502 if the value is not the block of this height. */
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
