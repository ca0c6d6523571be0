import { unwatchFile, watchFile } from 'node:fs';
import { readFile, readlink, realpath, stat } from 'node:fs/promises';
import { formatJson, parseJson } from '@zbc-signer/chain';
import { type Static, type TProperties, Type } from 'typebox';
import { ConfigError, RequestError, systemCode } from '../base/errors.js';
import { addressOf, NODE_ROLES, type NodeAddress, type NodeRole, nodeKey } from '../base/node-address.js';
import { ajv, describeFault, withNumbers } from '../base/validation.js';
import { ADDRESS } from '../openapi/records.js';
import { replaceFile } from './replace-file.js';

/** Maximum number of added and removed nodes together; far above any operator's need. */
const MAX_CHANGES = 4096;
const MAX_FILE_BYTES = 1_048_576;
/** Interval at which the file is checked for changes by other processes. */
const WATCH_MS = 1000;

const NODE = { ...ADDRESS, host: Type.Optional(Type.String()) };
const closed = { additionalProperties: false };
const listOf = <T extends TProperties>(fields: T) =>
  Type.Array(Type.Object(fields, closed), { maxItems: MAX_CHANGES });
const CHANGES = Type.Object(
  { added: listOf({ ...NODE, role: Type.Enum([...NODE_ROLES]) }), removed: listOf(NODE) },
  closed,
);
const isChanges = ajv.compile<AllowlistChanges>(CHANGES);

/**
 * An administrator's changes to the list of nodes that configuration and registry admit. A node is in at most
 * one of `added` and `removed`.
 */
export type AllowlistChanges = Static<typeof CHANGES>;

/** Returns the changed lists, or its argument if nothing changes. */
type Change = (changes: AllowlistChanges) => AllowlistChanges;

/**
 * The allowlist's changes of one gateway, or of several gateways that share a file. Without a file, they are
 * stored until the process ends.
 */
export class Allowlist {
  /** Called after every change by any process. */
  onChange: () => void = () => {};
  readonly #path: string | undefined;
  readonly #onError: (error: Error) => void;
  /** The last queued change; the next change starts after it. */
  #last: Promise<unknown> = Promise.resolve();
  /** The changes as last read or written, from which a lost file is restored. */
  #known: AllowlistChanges | undefined;

  private constructor(path: string | undefined, onError: (error: Error) => void) {
    this.#path = path;
    this.#onError = onError;
    if (path !== undefined) watchFile(path, { interval: WATCH_MS, persistent: false }, this.#notify);
  }

  /** Throws ConfigError ALLOWLIST_UNUSABLE if the file cannot be read or is malformed. */
  static async open(stateFile: string | undefined, onError: (error: Error) => void): Promise<Allowlist> {
    const allowlist = new Allowlist(stateFile, onError);
    try {
      await allowlist.read();
      return allowlist;
    } catch (error) {
      await allowlist.close();
      throw error;
    }
  }

  /** Reads the changes; restores a file that disappeared. Throws ConfigError ALLOWLIST_UNUSABLE. */
  async read(): Promise<AllowlistChanges> {
    const isPresent = await this.#readFile();
    if (!isPresent && this.#path !== undefined && this.#known !== undefined) {
      await this.#change(known => ({ ...known })).then(
        () => this.#onError(this.#unusable('had disappeared and was restored')),
        error => this.#onError(this.#unusable(`has disappeared and was not restored: ${error.message}`)),
      );
    }
    return this.#present();
  }

  /** Admits a node. Throws RequestError 409 above MAX_CHANGES and 503 if the change cannot be stored. */
  async add(node: NodeAddress & { role: NodeRole }): Promise<void> {
    const { role } = node;
    await this.#change(changes => {
      if (changes.added.some(each => isSame(each, node) && each.role === role)) return changes;
      const { added, removed } = without(changes, node);
      return { added: [...added, { ...addressOf(node), role }], removed };
    });
    this.#notify();
  }

  /** Removes a node, however it was admitted. Throws like `add`. */
  async remove(node: NodeAddress): Promise<void> {
    await this.#change(changes => {
      if (changes.removed.some(each => isSame(each, node))) return changes;
      const { added, removed } = without(changes, node);
      return { added, removed: [...removed, addressOf(node)] };
    });
    this.#notify();
  }

  async close(): Promise<void> {
    if (this.#path !== undefined) unwatchFile(this.#path, this.#notify);
    await this.#last;
  }

  readonly #notify = (): void => this.onChange();

  #present(): AllowlistChanges {
    return this.#known ?? { added: [], removed: [] };
  }

  /** Makes a change after all others. Another process that shares the file makes none at the same time. */
  #change(change: Change): Promise<void> {
    const make = async (): Promise<void> => {
      if (this.#path === undefined) {
        this.#known = limited(change(this.#present()));
        return;
      }
      try {
        let changed = this.#present();
        await replaceFile(await this.#target(this.#path), async () => {
          await this.#readFile();
          changed = limited(change(this.#present()));
          return changed === this.#known ? undefined : `${formatJson(changed)}\n`;
        });
        this.#known = changed;
      } catch (error) {
        throw this.#refusal(error);
      }
    };
    const made = this.#last.then(make);
    this.#last = made.catch(() => undefined);
    return made;
  }

  /**
   * Returns the target of the path if it is a link. Writing to the target keeps the link, and gateways whose
   * links have the same target share its lock.
   */
  async #target(path: string): Promise<string> {
    try {
      return await realpath(path);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
      const link = await readlink(path).catch(() => undefined);
      if (link !== undefined) throw this.#unusable('is a link to a file that does not exist');
      return path;
    }
  }

  /**
   * Turns an error of the file into a response, so that a full disk, a read-only directory or a malformed
   * file makes only the request fail, not the gateway.
   */
  #refusal(error: unknown): RequestError {
    if (error instanceof RequestError) return error;
    const known = error instanceof ConfigError;
    const { message } = known ? error : this.#unusable(`cannot be written (${systemCode(error)})`);
    return new RequestError(503, message);
  }

  /** Reads the file and returns whether it exists. */
  async #readFile(): Promise<boolean> {
    if (this.#path === undefined) return false;
    let text: string;
    try {
      const { size } = await stat(this.#path);
      if (size > MAX_FILE_BYTES) throw this.#unusable(`is larger than ${MAX_FILE_BYTES} bytes`);
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return false;
      throw error instanceof ConfigError ? error : this.#unusable(`cannot be read (${systemCode(error)})`);
    }
    let changes: unknown;
    try {
      changes = withNumbers(parseJson(text));
    } catch {
      throw this.#unusable('is not JSON; restore a copy, or delete it to start over');
    }
    if (!isChanges(changes)) throw this.#unusable(describeFault(isChanges.errors![0]!, 'the list'));
    this.#known = changes;
    return true;
  }

  #unusable(reason: string): ConfigError {
    return new ConfigError('ALLOWLIST_UNUSABLE', `state_file: ${this.#path}: ${reason}`);
  }
}

function isSame(one: NodeAddress, other: NodeAddress): boolean {
  return nodeKey(one) === nodeKey(other);
}

function without({ added, removed }: AllowlistChanges, node: NodeAddress): AllowlistChanges {
  const isOther = (each: NodeAddress) => !isSame(each, node);
  return { added: added.filter(isOther), removed: removed.filter(isOther) };
}

function limited(changes: AllowlistChanges): AllowlistChanges {
  const { added, removed } = changes;
  if (added.length + removed.length <= MAX_CHANGES) return changes;
  throw new RequestError(409, `The allowlist is full (${MAX_CHANGES} changes)`);
}
