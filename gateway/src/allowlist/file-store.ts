import { randomBytes } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { formatJson, parseJson } from '@zbc-signer/chain';
import { type TProperties, Type } from 'typebox';
import { ConfigError, RequestError, systemCode } from '../base/errors.js';
import { NODE_ROLES } from '../base/node-address.js';
import { ajv, describeFault, withNumbers } from '../base/validation.js';
import { ADDRESS } from '../openapi/records.js';
import {
  type AllowlistChanges,
  AllowlistStore,
  type Change,
  MAX_CHANGES,
  MemoryStore,
  NO_CHANGES,
} from './allowlist-store.js';
import { withLock } from './file-lock.js';

const NODE = { ...ADDRESS, host: Type.Optional(Type.String()) };
const closed = { additionalProperties: false };
const listOf = (fields: TProperties) => Type.Array(Type.Object(fields, closed), { maxItems: MAX_CHANGES });
const isChanges = ajv.compile<AllowlistChanges>(
  Type.Object(
    {
      added: listOf({ ...NODE, role: Type.Enum([...NODE_ROLES]) }),
      removed: listOf(NODE),
      cordoned: Type.Optional(listOf(NODE)),
    },
    closed,
  ),
);

const MAX_FILE_BYTES = 1_048_576;
const OWNER_ONLY = 0o600;
/** Interval at which the file is checked for changes by other processes. */
const WATCH_MS = 1000;

type Write = (changes: AllowlistChanges) => Promise<void>;

/**
 * Stores the changes in a file that is replaced atomically. Gateways that share the file see each other's
 * changes.
 */
class FileStore extends AllowlistStore {
  /** The last queued change; the next change starts after it. */
  #last: Promise<unknown> = Promise.resolve();
  /** The changes as last read or written, from which a lost file is restored. */
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
   * Throws ConfigError ALLOWLIST_UNUSABLE if the file cannot be read or is malformed. Restores a file that
   * disappeared.
   */
  async read(): Promise<AllowlistChanges> {
    const present = await this.#readPresent();
    if (present === undefined && this.#known !== undefined) await this.#restore();
    return present ?? this.#known ?? NO_CHANGES;
  }

  /** Returns undefined if the file does not exist. */
  async #readPresent(): Promise<AllowlistChanges | undefined> {
    const text = await this.#readText();
    if (text === undefined) return undefined;
    let changes: unknown;
    try {
      changes = withNumbers(parseJson(text));
    } catch {
      throw this.#unusable('is not JSON; restore a copy, or delete it to start over');
    }
    if (!isChanges(changes)) throw this.#unusable(describeFault(isChanges.errors![0]!, 'the list'));
    this.#known = changes;
    return changes;
  }

  async close(): Promise<void> {
    unwatchFile(this.path, this.notify);
    await this.#last;
  }

  protected async store(change: Change): Promise<void> {
    const make = async (write: Write) => {
      const changes = (await this.#readPresent()) ?? this.#known ?? NO_CHANGES;
      const changed = change(changes);
      if (changed !== changes) await write(changed);
    };
    await this.#inTurn(make).catch(error => {
      throw this.#refusal(error);
    });
  }

  /** Writes the file again, unless another process that shares it has already restored it. */
  async #restore(): Promise<void> {
    try {
      const isWritten = await this.#inTurn(async write => {
        if ((await this.#readPresent()) !== undefined) return false;
        await write(this.#known ?? NO_CHANGES);
        return true;
      });
      this.#isReported = false;
      if (isWritten) this.onError(this.#unusable('had disappeared and was restored'));
    } catch (error) {
      const reason = `has disappeared and was not restored: ${this.#refusal(error).message}`;
      if (!this.#isReported) this.onError(this.#unusable(reason));
      this.#isReported = true;
    }
  }

  /** Runs an action with the function that replaces the file, while no other action or process changes it. */
  #inTurn<T>(action: (write: Write) => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      const target = await this.#target();
      return withLock(target, requireLock => action(changes => this.#write(target, changes, requireLock)));
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  /**
   * Returns the target of the path if it is a link. Writing to the target keeps the link, and gateways whose
   * links have the same target share its lock.
   */
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

  /**
   * Turns an error of the store into a response, so that a full disk, a read-only directory or a malformed
   * file makes only the request fail, not the gateway.
   */
  #refusal(error: unknown): RequestError {
    if (error instanceof RequestError) return error;
    const { message } =
      error instanceof ConfigError ? error : this.#unusable(`cannot be locked (${systemCode(error)})`);
    return new RequestError(503, message);
  }

  async #readText(): Promise<string | undefined> {
    try {
      const { size } = await stat(this.path);
      if (size > MAX_FILE_BYTES) throw this.#unusable(`is larger than ${MAX_FILE_BYTES} bytes`);
      return await readFile(this.path, 'utf8');
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error instanceof ConfigError ? error : this.#unusable(`cannot be read (${systemCode(error)})`);
    }
  }

  /**
   * Replaces the file atomically: readers see the old content or the new content, even after a power failure.
   */
  async #write(target: string, changes: AllowlistChanges, requireLock: () => Promise<void>): Promise<void> {
    const temporary = `${target}.${randomBytes(6).toString('hex')}`;
    try {
      const text = `${formatJson(changes)}\n`;
      await writeFile(temporary, text, { flag: 'wx', mode: OWNER_ONLY, flush: true });
      await requireLock();
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

/**
 * Opens the store that uses the file, or a store in memory if `stateFile` is undefined. Throws ConfigError if
 * the file cannot be read or is malformed.
 */
export async function openAllowlistStore(
  stateFile: string | undefined,
  onError: (error: Error) => void = error => process.emitWarning(error.stack ?? error.message),
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
