import { applyBlock, latestBlock } from '../node/block.js';
import { BlockWatch } from '../node/block-watch.js';
import type { Broadcast } from '../node/broadcast.js';
import type { ChainReader } from '../node/development-chain.js';
import { expireEscrow } from '../node/escrow.js';
import { admit } from '../node/mempool.js';
import { closeStore, openStore } from '../node/open-store.js';
import type { BlockMoment, BlockRecord } from '../node/records.js';
import { WINDOW_SECONDS } from '../node/rules.js';
import { FollowError } from './follow-error.js';
import { type FollowedBlock, verifyTransactions } from './followed-block.js';
import { HistoryStore } from './history-store.js';

/** What the followed node says of its signing rules; a field that it does not report is missing here too. */
export interface Mirrored {
  signing_version?: bigint;
  signing_tag?: string;
}

/** A chain made of another node's blocks, each checked and then applied whole or not at all. */
export class ArchivalChain implements ChainReader {
  readonly watch = new BlockWatch();
  /** Undefined while the followed node does not answer; else its height when it last told it. */
  followedHeight: bigint | undefined;

  private constructor(readonly store: HistoryStore) {}

  /** Throws DevnetError as `openStore` does. */
  static async open(directory: string): Promise<ArchivalChain> {
    const store = await openStore(directory, 'archival', path => new HistoryStore(path));
    if (latestBlock(store).height === 0n) {
      store.write(() => store.keepGenesis());
    }
    return new ArchivalChain(store);
  }

  get mirrored(): Mirrored {
    return (this.store.meta.get('mirrored') ?? {}) as Mirrored;
  }

  /** Kept for a start at which the followed node does not answer. */
  mirror({ signing_version, signing_tag }: Mirrored): void {
    const known = this.mirrored;
    if (known.signing_version !== signing_version || known.signing_tag !== signing_tag) {
      this.store.write(() => this.store.meta.put('mirrored', { signing_version, signing_tag }));
    }
  }

  /** Durable when it resolves; throws FollowError, and nothing of the block is kept then. */
  async apply(followed: FollowedBlock): Promise<void> {
    checkLink(latestBlock(this.store), followed.block);
    await verifyTransactions(followed);
    try {
      this.store.write(() => writeBlock(this.store, followed));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new FollowError(`block ${followed.block.height} cannot be applied: ${reason}`);
    }
    this.watch.announce();
  }

  async close(): Promise<void> {
    this.watch.close();
    await closeStore(this.store);
  }
}

function checkLink(previous: BlockRecord, block: BlockRecord): void {
  if (block.height !== previous.height + 1n) {
    throw new FollowError(`block ${block.height} came where block ${previous.height + 1n} was asked for`);
  }
  if (block.previousHash !== previous.hash) {
    throw new FollowError(`block ${block.height} does not follow the block ${previous.height} that is here`);
  }
  if (block.timestamp < previous.timestamp) {
    throw new FollowError(`block ${block.height} is older than the one before it`);
  }
}

function writeBlock(store: HistoryStore, { block, broadcasts }: FollowedBlock): void {
  for (const broadcast of broadcasts) {
    if (admit(store, earliestAdmission(broadcast), broadcast, 'mempool').duplicate) {
      throw new Error('it has a transaction that an earlier block has');
    }
  }
  const made = applyBlock(store, block, at => expireNamed(store, block.expired, at));
  if (made.hash !== block.hash) {
    throw new Error('its hash is not that of its content');
  }
  store.keepVersions(block.height);
}

/** The time at which a full node took it is not known: the earliest that its own window allows breaks no rule that it kept. */
function earliestAdmission({ timestamp }: Broadcast): bigint {
  return timestamp - WINDOW_SECONDS;
}

function expireNamed(store: HistoryStore, hashes: readonly string[], at: BlockMoment): string[] {
  for (const hash of hashes) {
    expireEscrow(store, hash, at);
  }
  return [...hashes];
}
