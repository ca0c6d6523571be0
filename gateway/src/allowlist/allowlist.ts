import { readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { formatJson, parseJson } from '@zbc-signer/chain';
import { type Static, type TProperties, Type } from 'typebox';
import { ConfigError, RequestError, systemCode } from '../base/errors.js';
import { addressOf, NODE_ROLES, type NodeAddress, type NodeRole, nodeKey } from '../base/node-address.js';
import { ajv, describeFault, withNumbers } from '../base/validation.js';
import { ADDRESS } from '../openapi/records.js';

/** Maximum number of added and removed nodes together; far above any operator's need. */
const MAX_CHANGES = 4096;
const MAX_FILE_BYTES = 1_048_576;
const OWNER_ONLY = 0o600;

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

/** The changes of one gateway, which its file keeps. Without a file, they are kept until the process ends. */
export class Allowlist {
  readonly #path: string | undefined;
  /** The last queued change; the next change starts after it. */
  #last: Promise<unknown> = Promise.resolve();
  #changes: AllowlistChanges = { added: [], removed: [] };

  private constructor(path: string | undefined) {
    this.#path = path;
  }

  /** Throws ConfigError ALLOWLIST_UNUSABLE if the file cannot be read or is malformed. */
  static async open(stateFile: string | undefined): Promise<Allowlist> {
    const allowlist = new Allowlist(stateFile);
    if (stateFile !== undefined) allowlist.#changes = (await readChanges(stateFile)) ?? allowlist.#changes;
    return allowlist;
  }

  /** The present changes. */
  read(): AllowlistChanges {
    return this.#changes;
  }

  /** Admits a node. Throws RequestError 409 above MAX_CHANGES and 503 if the change cannot be stored. */
  add(node: NodeAddress & { role: NodeRole }): Promise<void> {
    const { role } = node;
    return this.#change(changes => {
      if (changes.added.some(each => isSame(each, node) && each.role === role)) return changes;
      const { added, removed } = without(changes, node);
      return { added: [...added, { ...addressOf(node), role }], removed };
    });
  }

  /** Removes a node, however it was admitted. Throws like `add`. */
  remove(node: NodeAddress): Promise<void> {
    return this.#change(changes => {
      if (changes.removed.some(each => isSame(each, node))) return changes;
      const { added, removed } = without(changes, node);
      return { added, removed: [...removed, addressOf(node)] };
    });
  }

  async close(): Promise<void> {
    await this.#last;
  }

  /** Makes a change after all others. */
  #change(change: Change): Promise<void> {
    const made = this.#last.then(async () => {
      const changed = limited(change(this.#changes));
      if (changed !== this.#changes && this.#path !== undefined) await writeChanges(this.#path, changed);
      this.#changes = changed;
    });
    this.#last = made.catch(() => undefined);
    return made;
  }
}

/** Reads the changes; undefined if there is no file. */
async function readChanges(path: string): Promise<AllowlistChanges | undefined> {
  let text: string;
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw unusable(path, `is larger than ${MAX_FILE_BYTES} bytes`);
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error instanceof ConfigError ? error : unusable(path, `cannot be read (${systemCode(error)})`);
  }
  let changes: unknown;
  try {
    changes = withNumbers(parseJson(text));
  } catch {
    throw unusable(path, 'is not JSON; restore a copy, or delete it to start over');
  }
  if (!isChanges(changes)) throw unusable(path, describeFault(isChanges.errors![0]!, 'the list'));
  return changes;
}

/**
 * Replaces the file, or the target of the path if it is a link: readers see the old content or the new content, even
 * after a power failure. A full disk or a read-only directory makes only the request fail: throws RequestError 503.
 */
async function writeChanges(path: string, changes: AllowlistChanges): Promise<void> {
  let place = path;
  try {
    if ((await readlink(path).catch(() => undefined)) !== undefined) place = await realpath(path);
    const text = `${formatJson(changes)}\n`;
    await writeFile(`${place}.new`, text, { mode: OWNER_ONLY, flush: true });
    await rename(`${place}.new`, place);
  } catch (error) {
    await rm(`${place}.new`, { force: true }).catch(() => undefined);
    throw new RequestError(503, unusable(path, `cannot be written (${systemCode(error)})`).message);
  }
}

function unusable(path: string, reason: string): ConfigError {
  return new ConfigError('ALLOWLIST_UNUSABLE', `state_file: ${path}: ${reason}`);
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
