import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DevnetError } from '../errors.js';
import { checkDataFile } from './data-file.js';
import { COIN, COIN_SUPPLY_ATOMS, DEVNET_GENESIS_HASH, FEE_COLLECTOR, GENESIS_TOKENS } from './genesis.js';
import { credit } from './ledger.js';
import { claimDirectory, releaseDirectory } from './owner.js';
import { checkState } from './state-check.js';
import type { Store } from './store.js';

/** Grows whenever stores made before can no longer be read: 2 keeps every block, and blocks name the escrows they expired. */
export const DATA_FORMAT = 2n;

/** What sort of node a directory belongs to. */
export type StoreKind = 'full' | 'archival';

/**
 * Opens or makes a directory's state for this process alone; throws DevnetError when it cannot be opened, is in use, another
 * network's, version's or kind of node's, or broken.
 */
export async function openStore<S extends Store>(
  directory: string,
  kind: StoreKind,
  make: (directory: string) => S,
): Promise<S> {
  const store = openDirectory(directory, make);
  try {
    prepare(store, kind);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Frees the directory for another process. */
export async function closeStore(store: Store): Promise<void> {
  releaseDirectory(store);
  await store.close();
}

/** Before format 2 a network's directory held its store itself, where now each node has a folder of its own in it. */
export function refuseOldLayout(directory: string): void {
  if (existsSync(join(directory, 'data.mdb'))) {
    throw otherVersion(1n);
  }
}

function openDirectory<S>(directory: string, make: (directory: string) => S): S {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    checkDataFile(directory);
    return make(directory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DevnetError('DATA_UNUSABLE', `the data directory cannot be opened: ${reason}`);
  }
}

function prepare(store: Store, kind: StoreKind): void {
  claimDirectory(store);
  try {
    store.write(() => initialise(store, kind));
    const [problem] = checkState(store);
    if (problem !== undefined) {
      throw new DevnetError('DATA_BROKEN', `the data directory is broken: ${problem}`);
    }
  } catch (error) {
    releaseDirectory(store);
    throw error;
  }
}

/** In `meta`: `genesis` the network's hash, `format` and `kind` as above, `owner` the process that has the directory open. */
function initialise(store: Store, kind: StoreKind): void {
  const genesis = store.meta.get('genesis');
  if (genesis === undefined) {
    store.meta.put('genesis', DEVNET_GENESIS_HASH);
    store.meta.put('format', DATA_FORMAT);
    store.meta.put('kind', kind);
    for (const { id, supply } of [{ id: COIN, supply: COIN_SUPPLY_ATOMS }, ...GENESIS_TOKENS]) {
      credit(store, FEE_COLLECTOR, id, supply);
    }
    return;
  }
  if (genesis !== DEVNET_GENESIS_HASH) {
    throw new DevnetError('DATA_OF_ANOTHER_NETWORK', `the data directory holds the network ${genesis}`);
  }
  checkMaker(store, kind);
}

function checkMaker(store: Store, kind: StoreKind): void {
  const format = store.meta.get('format') ?? 1n;
  if (format !== DATA_FORMAT) {
    throw otherVersion(format);
  }
  if (store.meta.get('kind') !== kind) {
    throw new DevnetError(
      'DATA_UNUSABLE',
      `the data directory is of a node of another kind: ${store.meta.get('kind')}, not ${kind}`,
    );
  }
}

function otherVersion(format: unknown): DevnetError {
  return new DevnetError(
    'DATA_OF_ANOTHER_VERSION',
    `the data directory has format ${format}, and this version reads format ${DATA_FORMAT}: choose another directory`,
  );
}
