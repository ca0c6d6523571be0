import { formatJson, invalidInputError, parseJson, toHex, ZbcSignerError } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { reasonOf } from '../errors.js';
import type { TextStore } from '../text-store.js';
import { ExchangeQueue } from './exchange-queue.js';

const FORMAT = 'zbc-signer-signings';
const VERSION = 1n;
/** The greatest length of the text of a record, in characters: some 60 keys with all their signings. */
const MAX_RECORD_LENGTH = 1_048_576;
/** Signed transactions that are remembered of a key. Nodes take none that is older than an hour. */
const MAX_SIGNED = 256;

/** What is kept of one public key. */
export interface KeyRecord {
  /** Whether the device of the key has once contributed to a signature with random bytes of the host. */
  isRequired: boolean;
  /** Signatures that the device did not give. */
  withheld: number;
  /** SHA3-256 digests of signed transactions in hex, the newest last. */
  signed: readonly string[];
}

const UNKNOWN: KeyRecord = { isRequired: false, withheld: 0, signed: [] };

/**
 * What a program remembers of signings, by public key: that a device can keep hidden data out of its signatures, and
 * how many signatures it withheld. Methods reject with `RECORD_DAMAGED` if the store cannot be read or written. If
 * two programs change one store at the same moment, the change of one is lost.
 */
export class SigningRecord {
  readonly #changes = new ExchangeQueue();

  /** Without a store, the record lasts as long as the program. */
  constructor(private readonly store: TextStore = new MemoryStore()) {
    bindMembers(this);
    const { load, store: write } = Object(store) as Partial<TextStore>;
    if (typeof load !== 'function' || typeof write !== 'function')
      throw invalidInputError('the store of a record must have load() and store(text)');
  }

  /** What is kept of the device of this public key, 32 bytes. */
  async read(publicKey: Uint8Array): Promise<KeyRecord> {
    return (await this.#load()).get(toHex(publicKey)) ?? UNKNOWN;
  }

  /** Counts one more signature as withheld, such as after a rejection that was not the user's. Resolves with the sum. */
  async countWithheld(publicKey: Uint8Array): Promise<number> {
    return (await this.#change(publicKey, ({ withheld }) => ({ withheld: withheld + 1 }))).withheld;
  }

  /**
   * Notes that the device may have made a signature with random bytes of the host, before it is there. `digest` is
   * the signing digest of a transaction, 32 bytes. The signature counts as withheld until `noteChecked`.
   */
  async noteRevealed(
    publicKey: Uint8Array,
    digest: Uint8Array | undefined,
    isCounted: boolean,
  ): Promise<void> {
    await this.#change(publicKey, ({ withheld, signed }) => ({
      withheld: isCounted ? withheld : withheld + 1,
      signed: digest === undefined ? signed : [...signed, toHex(digest)].slice(-MAX_SIGNED),
    }));
  }

  /**
   * Notes that a signature has arrived. `isChecked`: with a nonce that was checked. `wasCounted`: it no longer counts as
   * withheld. Resolves with the number of withheld ones.
   */
  async noteSigned(
    publicKey: Uint8Array,
    { isChecked, wasCounted }: { isChecked: boolean; wasCounted: boolean },
  ): Promise<number> {
    const change = ({ isRequired, withheld }: KeyRecord) => ({
      isRequired: isRequired || isChecked,
      withheld: Math.max(0, withheld - Number(wasCounted)),
    });
    return (await this.#change(publicKey, change)).withheld;
  }

  #change(publicKey: Uint8Array, change: (record: KeyRecord) => Partial<KeyRecord>): Promise<KeyRecord> {
    return this.#changes.run(async () => {
      const keys = await this.#load();
      const before = keys.get(toHex(publicKey)) ?? UNKNOWN;
      const after = { ...before, ...change(before) };
      keys.set(toHex(publicKey), after);
      await this.#call('written', () => this.store.store(formatRecord(keys)));
      return after;
    });
  }

  async #load(): Promise<Map<string, KeyRecord>> {
    const text = await this.#call('read', () => this.store.load());
    return text === undefined ? new Map() : parseRecord(text);
  }

  async #call<Result>(done: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      throw recordError(`cannot be ${done}: ${reasonOf(cause)}`, cause);
    }
  }
}

class MemoryStore implements TextStore {
  #text: string | undefined;

  async load(): Promise<string | undefined> {
    return this.#text;
  }

  async store(text: string): Promise<void> {
    this.#text = text;
  }
}

/** The record of programs that give no other. */
export const PROCESS_RECORD = new SigningRecord();

function formatRecord(keys: ReadonlyMap<string, KeyRecord>): string {
  const list = [...keys].map(([key, { isRequired, withheld, signed }]) => ({
    public_key: key,
    required: isRequired,
    withheld,
    signed,
  }));
  return `${formatJson({ format: FORMAT, version: VERSION, keys: list })}\n`;
}

function parseRecord(text: string): Map<string, KeyRecord> {
  if (text.length > MAX_RECORD_LENGTH) throw damagedError('it is too long');
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (cause) {
    throw damagedError(reasonOf(cause), cause);
  }
  const { format, version, keys }: Record<string, unknown> = Object(json);
  if (format !== FORMAT || version !== VERSION || !Array.isArray(keys))
    throw damagedError(`it is not ${FORMAT} of version ${VERSION}`);
  return new Map(keys.map(readKey));
}

function readKey(json: unknown): [string, KeyRecord] {
  const { public_key: key, required, withheld, signed }: Record<string, unknown> = Object(json);
  const isHash = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
  const isCount = typeof withheld === 'bigint' && withheld >= 0n;
  const isList = Array.isArray(signed) && signed.every(isHash);
  if (!isHash(key) || typeof required !== 'boolean' || !isCount || !isList)
    throw damagedError('a key is malformed');
  return [key, { isRequired: required, withheld: Number(withheld), signed }];
}

function damagedError(fault: string, cause?: unknown): ZbcSignerError {
  return recordError(`is damaged: ${fault}`, cause);
}

function recordError(fault: string, cause: unknown): ZbcSignerError {
  const message = `nothing was sent, because the record of signings ${fault}`;
  return new ZbcSignerError('RECORD_DAMAGED', message, { cause });
}
