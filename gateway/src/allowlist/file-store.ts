import { randomBytes } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { type FileHandle, open, readlink, realpath, rename, rm } from 'node:fs/promises';
import { formatJson, parseJson } from '@zbc-signer/chain';
import { ConfigError, RequestError, systemCode } from '../base/errors.js';
import { Faults, listOf, objectOf, optional, required } from '../config/reader.js';
import { ipv4, oneOf, port, text } from '../config/values.js';
import {
  type AllowlistChanges,
  AllowlistStore,
  type Change,
  MAX_CHANGES,
  MemoryStore,
  NO_CHANGES,
} from './allowlist-store.js';
import { withLock } from './file-lock.js';

const node = { ip: required(ipv4), port: required(port) };
const addedNode = { ...node, role: required(oneOf('full', 'archival')) };
/** Earlier versions wrote `cause`; it is accepted and ignored. */
const cordonedNode = { ...node, cause: optional(text) };

/** Reads the changes in a file's form; throws Faults. */
const readChanges = objectOf({
  added: required(listOf(objectOf(addedNode), MAX_CHANGES)),
  removed: required(listOf(objectOf(node), MAX_CHANGES)),
  cordoned: optional(listOf(objectOf(cordonedNode), MAX_CHANGES)),
});

const MAX_FILE_BYTES = 1_048_576;
const OWNER_ONLY = 0o600;
/** How often changes by other processes are looked for. */
const WATCH_MS = 1000;

/**
 * Stores the changes in a file that is replaced atomically; gateways that share it see each other's changes.
 */
class FileStore extends AllowlistStore {
  /** The last change, after which the next one runs. */
  #last: Promise<unknown> = Promise.resolve();
  /** The list as last read or written, from which a lost file is restored. */
  #known: AllowlistChanges | undefined;
  /** Set once an unrecoverable loss of the file was reported. */
  #isReported = false;

  constructor(
    private readonly path: string,
    private readonly onError: (error: Error) => void,
  ) {
    super();
    watchFile(path, { interval: WATCH_MS, persistent: false }, this.notify);
  }

  /**
   * Throws ConfigError ALLOWLIST_UNUSABLE for an unreadable or malformed file. A file that disappeared is
   * restored.
   */
  async read(): Promise<AllowlistChanges> {
    const present = await this.#readPresent();
    if (present === undefined && this.#known !== undefined) await this.#restore();
    return present ?? this.#known ?? NO_CHANGES;
  }

  /** Returns undefined without a file. */
  async #readPresent(): Promise<AllowlistChanges | undefined> {
    const text = await this.#readText();
    if (text === undefined) return undefined;
    try {
      this.#known = readChanges(parseJson(text), '');
      return this.#known;
    } catch (error) {
      throw this.#unusable(
        error instanceof Faults ? error.lines[0]! : 'is not JSON; restore a copy, or delete it to begin anew',
      );
    }
  }

  async close(): Promise<void> {
    unwatchFile(this.path, this.notify);
    await this.#last;
  }

  protected async store(change: Change): Promise<void> {
    const make = async (target: string) => {
      const changes = (await this.#readPresent()) ?? this.#known ?? NO_CHANGES;
      const changed = change(changes);
      if (changed !== changes) await this.#write(target, changed);
    };
    await this.#inTurn(make).catch(error => {
      throw this.#refusal(error);
    });
  }

  /** Another process that shares the file may have restored it already. */
  async #restore(): Promise<void> {
    try {
      const isWritten = await this.#inTurn(async target => {
        if ((await this.#readPresent()) !== undefined) return false;
        await this.#write(target, this.#known ?? NO_CHANGES);
        return true;
      });
      this.#isReported = false;
      if (isWritten) this.onError(this.#unusable('had disappeared and was restored'));
    } catch (error) {
      if (!this.#isReported) this.onError(this.#unusable(`is gone, and ${this.#refusal(error).message}`));
      this.#isReported = true;
    }
  }

  #inTurn<T>(action: (target: string) => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      const target = await this.#target();
      return withLock(target, () => action(target));
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** The file that a link leads to, so that the link stays and gateways with other links share the lock. */
  async #target(): Promise<string> {
    try {
      return await realpath(this.path);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
      const link = await readlink(this.path).catch(() => undefined);
      if (link !== undefined) throw this.#unusable('is a link to a file that does not exist');
      return this.path;
    }
  }

  /** A full disk, a read-only directory or a broken file fails the request, not the gateway. */
  #refusal(error: unknown): RequestError {
    if (error instanceof RequestError) return error;
    const { message } =
      error instanceof ConfigError ? error : this.#unusable(`cannot be locked (${systemCode(error)})`);
    return new RequestError(503, message);
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
  async #write(target: string, changes: AllowlistChanges): Promise<void> {
    const temporary = `${target}.${randomBytes(6).toString('hex')}`;
    try {
      const file = await open(temporary, 'wx', OWNER_ONLY);
      try {
        await file.writeFile(`${formatJson(changes)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, target);
      this.#known = changes;
    } catch (error) {
      await rm(temporary, { force: true });
      throw this.#unusable(`cannot be written (${systemCode(error)})`);
    }
  }

  #unusable(reason: string): ConfigError {
    return new ConfigError('ALLOWLIST_UNUSABLE', `state_file: ${this.path}: ${reason}`);
  }
}

/** Opens the store, in memory without a file; throws ConfigError if the file's content is unusable. */
export async function openAllowlistStore(
  stateFile: string | undefined,
  onError: (error: Error) => void = error => process.emitWarning(error),
): Promise<AllowlistStore> {
  const store = stateFile === undefined ? new MemoryStore() : new FileStore(stateFile, onError);
  try {
    await store.read();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
