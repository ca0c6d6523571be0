import { applyBlock, latestBlock } from '../node/chain/block.js';
import { BlockWatch } from '../node/chain/block-watch.js';
import type { ChainReader } from '../node/chain/development-chain.js';
import { closeStore, openStore } from '../node/chain/open-store.js';
import { expireEscrow } from '../node/ledger/escrow.js';
import { admit } from '../node/ledger/mempool.js';
import { type Conditions, WINDOW_SECONDS } from '../node/ledger/rules.js';
import type { BlockMoment, BlockRecord } from '../node/store/records.js';
import type { SignedTransaction } from '../node/transaction/signed-transaction.js';
import { FollowError } from './follow-error.js';
import { type FollowedBlock, verifyTransactions } from './followed-block.js';
import { HistoryStore } from './history-store.js';

/** The signing rules that the followed node reports. A field that it does not report is absent. */
export interface MirroredRules {
  signing_version?: bigint;
  signing_tag?: string;
}

/**
 * A chain made of the blocks of another node. Each block is verified, and is applied completely or not at
 * all.
 */
export class ArchivalChain implements ChainReader {
  readonly watch = new BlockWatch();
  /** The height that the followed node last reported; undefined while it does not answer. */
  followedHeight: bigint | undefined;

  private constructor(readonly store: HistoryStore) {}

  /**
   * Opens the chain of a directory. Calls `askGenesis` only if the directory is new. Throws DevnetError as
   * `openStore` does.
   */
  static async open(directory: string, askGenesis: () => Promise<string>): Promise<ArchivalChain> {
    const store = await openStore(directory, 'archival', path => new HistoryStore(path), askGenesis);
    if (latestBlock(store).height === 0n) store.write(() => store.keepGenesis());
    return new ArchivalChain(store);
  }

  get mirrored(): MirroredRules {
    return (this.store.meta.get('mirrored') ?? {}) as MirroredRules;
  }

  /** Stores the rules, so that they are known if the followed node does not answer at the next start. */
  mirror({ signing_version, signing_tag }: MirroredRules): void {
    const known = this.mirrored;
    if (known.signing_version !== signing_version || known.signing_tag !== signing_tag) {
      this.store.write(() => this.store.meta.put('mirrored', { signing_version, signing_tag }));
    }
  }

  /**
   * Applies a block. The block is on disk when the promise resolves. Throws FollowError, and then stores no
   * part of the block.
   */
  async apply(followed: FollowedBlock): Promise<void> {
    checkLink(latestBlock(this.store), followed.block);
    const transactions = await verifyTransactions(followed, this.store.genesisHash);
    try {
      this.store.write(() => writeBlock(this.store, followed.block, transactions));
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
    throw new FollowError(`expected block ${previous.height + 1n}, received block ${block.height}`);
  }
  if (block.previousHash !== previous.hash) {
    throw new FollowError(`block ${block.height} does not follow our block ${previous.height}`);
  }
  if (block.timestamp < previous.timestamp) {
    throw new FollowError(`block ${block.height} has an earlier timestamp than the block before`);
  }
}

function writeBlock(
  store: HistoryStore,
  block: BlockRecord,
  transactions: readonly SignedTransaction[],
): void {
  for (const transaction of transactions) {
    if (admit(store, earliestAdmission(transaction), transaction, 'mempool').duplicate) {
      throw new Error('it repeats a transaction of an earlier block');
    }
  }
  const made = applyBlock(store, block, at => expireNamed(store, block.expired, at));
  if (made.hash !== block.hash) throw new Error('its hash does not match its content');
  store.keepVersions(block.height);
}

/**
 * Returns the conditions under which the full node may have accepted the transaction. Blocks record neither
 * the time of acceptance nor the newest block at that time. Therefore the earliest time at which the
 * transaction could be accepted is used, which breaks no rule that held then. Blocks do not record the
 * network's fee scale either; it is at least 1.
 */
function earliestAdmission({ broadcast }: SignedTransaction): Conditions {
  const timestamp = broadcast.timestamp - WINDOW_SECONDS;
  return { timestamp, blockTimestamp: timestamp, feeScale: 1n };
}

function expireNamed(store: HistoryStore, hashes: readonly string[], at: BlockMoment): string[] {
  for (const hash of hashes) expireEscrow(store, hash, at);
  return [...hashes];
}
