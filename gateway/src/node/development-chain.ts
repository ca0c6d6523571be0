import { mkdirSync } from 'node:fs';
import { type Account, toHex } from '../../../chain/src/index.js';
import { DevnetError } from '../errors.js';
import { produceBlock } from './block.js';
import { parseBroadcast } from './broadcast.js';
import { checkDataFile } from './data-file.js';
import { checkSignature } from './envelope.js';
import {
  COIN,
  COIN_SUPPLY_ATOMS,
  DEVNET_GENESIS_HASH,
  GENESIS_HASH,
  GENESIS_TOKENS,
  TREASURY,
} from './genesis.js';
import { type GrantReceipt, grant } from './grant.js';
import { credit } from './ledger.js';
import { type Admission, admit } from './mempool.js';
import { claimDirectory, releaseDirectory } from './owner.js';
import { checkState } from './state-check.js';
import { Store } from './store.js';

/** The embedded chain: a single writer over one store. Every method that changes it is durable when it returns. */
export class DevelopmentChain {
  readonly store: Store;
  readonly #now: () => number;

  private constructor(store: Store, now: () => number) {
    this.store = store;
    this.#now = now;
  }

  /** Opens or makes the directory's state; throws DevnetError when it cannot be opened, is in use, another network's, or broken. */
  static async open(directory: string, now: () => number): Promise<DevelopmentChain> {
    const store = openStore(directory);
    try {
      prepare(store);
    } catch (error) {
      await store.close();
      throw error;
    }
    return new DevelopmentChain(store, now);
  }

  /** The node's clock, in Unix seconds. */
  timestamp(): bigint {
    return BigInt(Math.floor(this.#now() / 1000));
  }

  /** Takes the JSON of a broadcast request; throws RequestError. */
  submit(json: unknown): Admission {
    const broadcast = parseBroadcast(json);
    checkSignature(GENESIS_HASH, broadcast);
    return this.store.write(() => admit(this.store, this.timestamp(), broadcast, 'staging'));
  }

  grant(recipient: Account): GrantReceipt {
    return this.store.write(() => grant(this.store, this.timestamp(), recipient));
  }

  produceBlock(): void {
    this.store.write(() => produceBlock(this.store, this.timestamp()));
  }

  async close(): Promise<void> {
    releaseDirectory(this.store);
    await this.store.close();
  }
}

function openStore(directory: string): Store {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    checkDataFile(directory);
    return new Store(directory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DevnetError('DATA_UNUSABLE', `the data directory cannot be opened: ${reason}`);
  }
}

function prepare(store: Store): void {
  claimDirectory(store);
  try {
    store.write(() => initialise(store));
    const [problem] = checkState(store);
    if (problem !== undefined) {
      throw new DevnetError('DATA_BROKEN', `the data directory is broken: ${problem}`);
    }
  } catch (error) {
    releaseDirectory(store);
    throw error;
  }
}

function initialise(store: Store): void {
  const genesis = store.meta.get('genesis');
  if (genesis === undefined) {
    store.meta.put('genesis', DEVNET_GENESIS_HASH);
    for (const { id, supply } of [{ id: COIN, supply: COIN_SUPPLY_ATOMS }, ...GENESIS_TOKENS]) {
      credit(store, toHex(TREASURY), id, supply);
    }
  } else if (genesis !== DEVNET_GENESIS_HASH) {
    throw new DevnetError('DATA_OF_ANOTHER_NETWORK', `the data directory holds the network ${genesis}`);
  }
}
