import { type Account, fromHex } from '@zbc-signer/chain';
import { DevnetError } from '../../errors.js';
import { DEVNET_GENESIS_HASH, newGenesisHash } from '../genesis.js';
import { type Admission, admit } from '../ledger/mempool.js';
import type { Conditions } from '../ledger/rules.js';
import { Store } from '../store/store.js';
import { parseBroadcast } from '../transaction/broadcast.js';
import { verifyBroadcast } from '../transaction/signed-transaction.js';
import { latestBlock } from './block.js';
import { BlockWatch } from './block-watch.js';
import { type GrantReceipt, grant } from './grant.js';
import { closeStore, openStore } from './open-store.js';
import { produceBlock } from './produce.js';

/** The part of a chain that the routes of both kinds of nodes use. */
export interface ChainReader {
  readonly store: Store;
  /** Wakes the waiting requests after each block is written. */
  readonly watch: BlockWatch;
}

/** Options of a chain. */
export interface ChainOptions {
  /**
   * Whether to use the chain whose genesis hash signers show as `ZBC Devnet`. By default, a new directory
   * gets a new chain with its own genesis hash, and an existing directory keeps its chain.
   */
  namedChain?: boolean | undefined;
  /** Factor of the base of the minimum fee; a positive integer. Default: 1. */
  feeScale?: bigint | undefined;
}

/**
 * The chain of a full node, which is the only writer of its store. Changes are on disk when a method returns.
 */
export class DevelopmentChain implements ChainReader {
  readonly watch = new BlockWatch();
  readonly store: Store;
  readonly feeScale: bigint;
  readonly #now: () => number;

  private constructor(store: Store, now: () => number, feeScale: bigint) {
    this.store = store;
    this.feeScale = feeScale;
    this.#now = now;
  }

  /**
   * Opens the chain of a directory. Throws DevnetError as `openStore` does, and if `namedChain` is set and
   * the directory belongs to another chain.
   */
  static async open(
    directory: string,
    now: () => number,
    { namedChain = false, feeScale = 1n }: ChainOptions = {},
  ): Promise<DevelopmentChain> {
    const chooseGenesis = () => (namedChain ? DEVNET_GENESIS_HASH : newGenesisHash());
    const store = await openStore(directory, 'full', path => new Store(path), chooseGenesis);
    const { genesisHash } = store;
    if (namedChain && genesisHash !== DEVNET_GENESIS_HASH) {
      await closeStore(store);
      const message = `the data directory belongs to another network, whose genesis hash is ${genesisHash}`;
      throw new DevnetError('DATA_OF_ANOTHER_NETWORK', message);
    }
    return new DevelopmentChain(store, now, feeScale);
  }

  /** The node's clock, in Unix seconds. */
  timestamp(): bigint {
    return BigInt(Math.floor(this.#now() / 1000));
  }

  /** Accepts the transaction in the JSON of a broadcast request; throws RequestError if it is rejected. */
  submit(json: unknown): Admission {
    const transaction = verifyBroadcast(fromHex(this.store.genesisHash), parseBroadcast(json));
    return this.store.write(() => admit(this.store, this.#conditions(), transaction, 'staging'));
  }

  grant(recipient: Account): GrantReceipt {
    const receipt = this.store.write(() => grant(this.store, this.#conditions(), recipient));
    this.watch.announce();
    return receipt;
  }

  produceBlock(): void {
    this.store.write(() => produceBlock(this.store, this.timestamp()));
    this.watch.announce();
  }

  async close(): Promise<void> {
    this.watch.close();
    await closeStore(this.store);
  }

  #conditions(): Conditions {
    const { timestamp: blockTimestamp } = latestBlock(this.store);
    return { timestamp: this.timestamp(), blockTimestamp, feeScale: this.feeScale };
  }
}
