import { closeSync, existsSync, mkdirSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { DevnetError } from '../../errors.js';
import { COIN, COIN_SUPPLY_ATOMS, TOKENS, TREASURY_HEX } from '../genesis.js';
import { credit } from '../ledger/ledger.js';
import { claimDirectory, releaseDirectory } from '../store/owner.js';
import type { Store } from '../store/store.js';
import { checkState } from './state-check.js';

/** Format of the store. It is incremented when older stores can no longer be read. */
const DATA_FORMAT = 4n;

/** Size of LMDB's two meta pages. The first begins with a header of 24 bytes and this magic number. */
const META_BYTES = 8192;
const MARK_OFFSET = 24;
const MARK = 0xbeefc0de;

/** The kind of node that a directory belongs to. */
type StoreKind = 'full' | 'archival';

/** Chooses the genesis hash of a new store, in lower-case hex. */
type ChooseGenesis = () => string | Promise<string>;

/**
 * Opens or creates a store that only this process may use. Throws DevnetError if it cannot be opened, is in
 * use, belongs to another version or kind of node, or is inconsistent.
 */
export async function openStore<S extends Store>(
  directory: string,
  kind: StoreKind,
  make: (directory: string) => S,
  chooseGenesis: ChooseGenesis,
): Promise<S> {
  const store = openDirectory(directory, make);
  try {
    await prepare(store, kind, chooseGenesis);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Closes the store and allows another process to open its directory. */
export async function closeStore(store: Store): Promise<void> {
  releaseDirectory(store);
  await store.close();
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

/**
 * Throws unless `data.mdb` is missing, empty or an LMDB file, because the library crashes the process for any
 * other file.
 */
function checkDataFile(directory: string): void {
  const path = join(directory, 'data.mdb');
  const start = existsSync(path) ? readStart(path) : Buffer.alloc(0);
  if (start.length > 0 && (start.length < META_BYTES || start.readUInt32LE(MARK_OFFSET) !== MARK)) {
    throw new Error('data.mdb is not an LMDB file');
  }
}

function readStart(path: string): Buffer {
  const bytes = Buffer.alloc(META_BYTES);
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

async function prepare(store: Store, kind: StoreKind, chooseGenesis: ChooseGenesis): Promise<void> {
  claimDirectory(store);
  try {
    if (store.meta.get('genesis') === undefined) {
      const genesis = await chooseGenesis();
      store.write(() => initialise(store, kind, genesis));
    }
    checkMaker(store, kind);
    const [problem] = checkState(store);
    if (problem !== undefined) {
      throw new DevnetError('DATA_BROKEN', `the data directory is broken: ${problem}`);
    }
  } catch (error) {
    releaseDirectory(store);
    throw error;
  }
}

/**
 * Initialises `meta` and the balances. The keys of `meta` are `genesis`, the chain's genesis hash; `format`
 * and `kind`, as above; and `owner`, the process that has the directory open.
 */
function initialise(store: Store, kind: StoreKind, genesis: string): void {
  store.meta.put('genesis', genesis);
  store.meta.put('format', DATA_FORMAT);
  store.meta.put('kind', kind);
  for (const { id, supply } of [{ id: COIN, supply: COIN_SUPPLY_ATOMS }, ...TOKENS]) {
    credit(store, TREASURY_HEX, id, supply);
  }
}

function checkMaker(store: Store, kind: StoreKind): void {
  const format = store.meta.get('format');
  if (format !== DATA_FORMAT) {
    throw new DevnetError(
      'DATA_OF_ANOTHER_VERSION',
      `the data directory has format ${format}, but this version reads only format ${DATA_FORMAT}: ` +
        'choose another directory',
    );
  }
  const actual = store.meta.get('kind');
  if (actual !== kind) {
    throw new DevnetError(
      'DATA_UNUSABLE',
      `the data directory belongs to another kind of node: expected ${kind}, found ${actual}`,
    );
  }
}
