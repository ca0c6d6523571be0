import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { DevnetError } from '../errors.js';
import { latestBlock } from '../node/chain/block.js';
import type { ArchivalChain } from './archival-chain.js';
import { FollowError } from './follow-error.js';
import { FollowedNode } from './followed-node.js';

const MAX_BLOCKS = 100;
/** Value of `wait_ms` in a request for the next block. */
const WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
/** Time limit for a new archival node to learn its chain from the node that it follows. */
const FIRST_ANSWER_MS = 5_000;
/** Interval between requests for the followed node's info. */
const INFO_MS = 10_000;

/** Applies a full node's blocks as they arrive; retries failures indefinitely. */
export class Follower {
  readonly #chain: ArchivalChain;
  readonly #node: FollowedNode;
  readonly #stop = new AbortController();
  readonly #onError: (error: Error) => void;
  #pauseMs = FIRST_PAUSE_MS;
  #lastFault = '';
  #done: Promise<void> | undefined;
  readonly #steps = new EventEmitter<{ step: [] }>();

  /**
   * `origin` is the URL of the full node, such as `http://127.0.0.1:8884`. A failure that persists is
   * reported once.
   */
  constructor(chain: ArchivalChain, origin: string, onError: (error: Error) => void) {
    this.#chain = chain;
    this.#node = new FollowedNode(origin, this.#stop.signal);
    this.#onError = onError;
  }

  start(): void {
    this.#done ??= this.#run();
  }

  /** Resolves when every block that the followed node reported is applied, or after the timeout. */
  async inStep(timeoutMs: number): Promise<void> {
    // AbortSignal.timeout is not used: the garbage collector may collect it before it fires.
    const timeout = new AbortController();
    const timer = globalThis.setTimeout(() => timeout.abort(), timeoutMs);
    const stop = () => timeout.abort();
    this.#stop.signal.addEventListener('abort', stop, { once: true });
    while (!this.#isInStep() && !timeout.signal.aborted && !this.#stop.signal.aborted) {
      await once(this.#steps, 'step', { signal: timeout.signal }).catch(() => undefined);
    }
    clearTimeout(timer);
    this.#stop.signal.removeEventListener('abort', stop);
  }

  #isInStep(): boolean {
    const { followedHeight, store } = this.#chain;
    return followedHeight !== undefined && followedHeight <= latestBlock(store).height;
  }

  #tookStep(height: bigint): void {
    this.#chain.followedHeight = height;
    this.#steps.emit('step');
  }

  /** Resolves when all work has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#node.close();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        this.#chain.followedHeight = undefined;
        await this.#pause(error);
      }
    }
  }

  /** Follows the node until the stop. Every failure is thrown. */
  async #follow(): Promise<void> {
    await this.#greet();
    let greetedAt = performance.now();
    while (!this.#stop.signal.aborted) {
      await this.#takeBlocks();
      if (performance.now() - greetedAt > INFO_MS) {
        await this.#greet();
        greetedAt = performance.now();
      }
    }
  }

  /**
   * Checks the followed node. Rejects it if it is on another chain, or if its block at the height of our
   * newest block is missing or different.
   */
  async #greet(): Promise<void> {
    const { genesisHash, height, mirrored } = await this.#node.info();
    if (genesisHash !== this.#chain.store.genesisHash) {
      throw new FollowError(`the followed node is on another chain, with the genesis ${genesisHash}`);
    }
    await this.#compareNewest();
    this.#chain.mirror(mirrored);
    this.#tookStep(height);
  }

  async #compareNewest(): Promise<void> {
    const newest = latestBlock(this.#chain.store);
    if (newest.height === 0n) return;
    const [same] = await this.#node.blocks(newest.height, 1, 0);
    if (same?.block.hash !== newest.hash) {
      throw new FollowError(`the followed node does not have our newest block ${newest.height}`);
    }
  }

  async #takeBlocks(): Promise<void> {
    const { height } = latestBlock(this.#chain.store);
    for (const followed of await this.#node.blocks(height + 1n, MAX_BLOCKS, WAIT_MS)) {
      await this.#chain.apply(followed);
      this.#tookStep(larger(this.#chain.followedHeight, followed.block.height));
      this.#stop.signal.throwIfAborted();
    }
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#lastFault = '';
  }

  async #pause(error: unknown): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#report(error instanceof Error ? error : new Error(String(error)));
    await setTimeout(this.#pauseMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }

  #report(error: Error): void {
    if (error.message !== this.#lastFault) {
      this.#lastFault = error.message;
      this.#onError(error);
    }
  }
}

/**
 * Returns the genesis hash of the node to follow, in lower-case hex. Throws DevnetError if the node does not
 * answer in time.
 */
export async function askGenesis(origin: string): Promise<string> {
  const deadline = performance.now() + FIRST_ANSWER_MS;
  const node = new FollowedNode(origin, new AbortController().signal);
  try {
    for (;;) {
      try {
        return (await node.info()).genesisHash;
      } catch (error) {
        if (!(error instanceof FollowError) || performance.now() > deadline) throw unknownChain(error);
        await setTimeout(FIRST_PAUSE_MS);
      }
    }
  } finally {
    await node.close();
  }
}

function unknownChain(error: unknown): DevnetError {
  const reason = error instanceof Error ? error.message : String(error);
  return new DevnetError(
    'FOLLOWED_NODE_UNKNOWN',
    `a new archival node must learn its chain from the node that it follows: ${reason}`,
  );
}

function larger(one: bigint | undefined, other: bigint): bigint {
  return one !== undefined && one > other ? one : other;
}
