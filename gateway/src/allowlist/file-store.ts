import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { formatJson, parseJson } from '@zbc-signer/chain';
import { ConfigError, systemCode } from '../base/errors.js';
import type { NodeAddress, NodeRole } from '../base/node-address.js';
import { Faults } from '../config/reader.js';
import type { AllowlistChanges, AllowlistStore } from './allowlist-store.js';
import { type AddedNode, fromTable, toTable, withChange } from './changes.js';
import { readChanges } from './read-changes.js';

const MAX_FILE_BYTES = 1_048_576;
const OWNER_ONLY = 0o600;
const NOTHING: AllowlistChanges = { added: [], removed: [] };

/** Stores the changes in a file that is replaced atomically; for one process at a time. */
export class FileStore implements AllowlistStore {
  readonly #listeners: (() => void)[] = [];
  /** Serializes changes. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly path: string) {}

  /** Throws ConfigError ALLOWLIST_UNUSABLE for an unreadable or malformed file. */
  async read(): Promise<AllowlistChanges> {
    const text = await this.#readText();
    if (text === undefined) return NOTHING;
    try {
      return fromTable(toTable(readChanges(parseJson(text), '')));
    } catch (error) {
      throw this.#unusable(error instanceof Faults ? error.lines[0]! : 'is not JSON');
    }
  }

  add(node: AddedNode): Promise<void> {
    return this.#change(node, node.role);
  }

  remove(node: NodeAddress): Promise<void> {
    return this.#change(node, 'removed');
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    await this.#last;
  }

  async #change(node: NodeAddress, change: NodeRole | 'removed'): Promise<void> {
    const changed = this.#last.then(async () => {
      await this.#write(fromTable(withChange(toTable(await this.read()), node, change)));
    });
    this.#last = changed.catch(() => undefined);
    await changed;
    for (const listener of this.#listeners) listener();
  }

  async #readText(): Promise<string | undefined> {
    let file: FileHandle | undefined;
    try {
      file = await open(this.path, 'r');
      const { size } = await file.stat();
      if (size > MAX_FILE_BYTES) throw this.#unusable(`is larger than ${MAX_FILE_BYTES} bytes`);
      return await file.readFile('utf8');
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error instanceof ConfigError ? error : this.#unusable(`cannot be read (${systemCode(error)})`);
    } finally {
      await file?.close();
    }
  }

  /** Readers see the old file or the new one, even after a power failure. */
  async #write(changes: AllowlistChanges): Promise<void> {
    const temporary = `${this.path}.${randomBytes(6).toString('hex')}`;
    try {
      const file = await open(temporary, 'wx', OWNER_ONLY);
      try {
        await file.writeFile(`${formatJson(changes)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw this.#unusable(`cannot be written (${systemCode(error)})`);
    }
  }

  #unusable(reason: string): ConfigError {
    return new ConfigError('ALLOWLIST_UNUSABLE', `state_file: ${this.path}: ${reason}`);
  }
}
