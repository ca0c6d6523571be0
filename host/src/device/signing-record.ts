import {
  type ErrorFacts,
  formatJson,
  invalidInputError,
  parseJson,
  toHex,
  ZbcSignerError,
} from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { type ErrorCode, reasonOf } from '../errors.js';
import type { TextStore } from '../text-store.js';
import { changeInTurn } from './exchange-queue.js';

const FORMAT = 'zbc-signer-signings';
const VERSION = 1n;
/** The greatest length of the text of a record, in characters: some 15 keys with all their signings. */
const MAX_RECORD_LENGTH = 262_144;
/** Signed transactions that are remembered of a key. Nodes take none that is older than an hour. */
const MAX_SIGNED = 256;
/** Far more than any device withholds. */
const MAX_WITHHELD = 1_000_000n;

/**
 * Signatures that a device may withhold before the host signs no more. With each, it can choose less than 1.45 bits of
 * what is published (docs/THREATS.md#hidden-data-in-signatures).
 */
const WITHHELD_LIMIT = 8;

/** What is kept of one public key. */
export interface KeyRecord {
  /** Whether the device of the key has once given a point for a nonce, so that it can do it again. */
  isRequired: boolean;
  /** Whether the device of the key once gave a nonce that can carry hidden data. */
  isCaught: boolean;
  /** Signatures that the device did not give. */
  withheld: number;
  /**
   * SHA3-256 digests in hex of the transactions that may have been signed with random bytes of the host, the newest
   * last. The same bytes must not be signed with others.
   */
  signed: readonly string[];
  /** Those that may have been signed by RFC 8032 alone, which gives the same bytes one signature. */
  plain: readonly string[];
}

const UNKNOWN: KeyRecord = { isRequired: false, isCaught: false, withheld: 0, signed: [], plain: [] };

/**
 * What a program remembers of signings, by public key: that a device can keep hidden data out of its signatures, and
 * how many signatures it withheld. Methods reject with `RECORD_DAMAGED` if the store cannot be read or written. If
 * two programs change one store at the same moment, the change of one is lost.
 */
export class SigningRecord {
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

  /**
   * Like `read`. Rejects with `DEVICE_UNTRUSTED` if the device once gave a nonce that can carry hidden data, and with
   * `SIGNATURE_WITHHELD` if it withheld eight signatures or more, unless `allowsWithheld`.
   */
  async readTrusted(publicKey: Uint8Array, allowsWithheld = false): Promise<KeyRecord> {
    const known = await this.read(publicKey);
    if (allowsWithheld) return known;
    if (known.isCaught)
      throw unsignedError('DEVICE_UNTRUSTED', 'chose a nonce that can carry hidden data before');
    const { withheld } = known;
    if (withheld >= WITHHELD_LIMIT)
      throw unsignedError('SIGNATURE_WITHHELD', `withheld ${withheld} signatures of this key`, { withheld });
    return known;
  }

  /**
   * Counts one more signature as withheld, such as after a rejection that was not the user's. Resolves with the sum.
   */
  async countWithheld(publicKey: Uint8Array): Promise<number> {
    return (await this.#change(publicKey, ({ withheld }) => ({ withheld: withheld + 1 }))).withheld;
  }

  /** Notes that the device gave a nonce that can carry hidden data. */
  async noteCaught(publicKey: Uint8Array): Promise<void> {
    await this.#change(publicKey, () => ({ isRequired: true, isCaught: true }));
  }

  /**
   * Notes that the device may make a signature with random bytes of the host, before they are sent. `digest` is the
   * signing digest of a transaction, 32 bytes; `isAgain`: they were sent before. The signature counts as withheld until
   * `noteSigned`, unless it `isCounted`. Resolves with the number of withheld ones. Rejects with `ALREADY_SIGNED` if the
   * transaction may have been signed with other random bytes.
   */
  async noteRevealed(
    publicKey: Uint8Array,
    digest: Uint8Array | undefined,
    { isAgain, isCounted }: { isAgain: boolean; isCounted: boolean },
  ): Promise<number> {
    const change = ({ withheld, signed, plain }: KeyRecord) => {
      if (digest !== undefined && !isAgain) refuseSigned(digest, [...signed, ...plain]);
      return {
        isRequired: true,
        withheld: isCounted ? withheld : withheld + 1,
        signed: digest === undefined ? signed : withDigest(signed, digest),
      };
    };
    return (await this.#change(publicKey, change)).withheld;
  }

  /**
   * Notes that a transaction may be signed by RFC 8032 alone. Rejects with `ALREADY_SIGNED` if it may have been signed
   * with random bytes of the host.
   */
  async notePlain(publicKey: Uint8Array, digest: Uint8Array): Promise<void> {
    await this.#change(publicKey, ({ signed, plain }) => {
      refuseSigned(digest, signed);
      return { plain: withDigest(plain, digest) };
    });
  }

  /** Notes that a signature has arrived, which no longer counts as withheld. Resolves with the number of withheld ones. */
  async noteSigned(publicKey: Uint8Array): Promise<number> {
    const change = ({ withheld }: KeyRecord) => ({ withheld: Math.max(0, withheld - 1) });
    return (await this.#change(publicKey, change)).withheld;
  }

  #change(publicKey: Uint8Array, change: (record: KeyRecord) => Partial<KeyRecord>): Promise<KeyRecord> {
    return changeInTurn(this.store, async () => {
      const keys = await this.#load();
      const before = keys.get(toHex(publicKey)) ?? UNKNOWN;
      const after = { ...before, ...change(before) };
      // The keys that were used last are kept longest.
      keys.delete(toHex(publicKey));
      keys.set(toHex(publicKey), after);
      const text = formatShort(keys);
      await this.#call('written', () => this.store.store(text));
      return after;
    });
  }

  async #load(): Promise<Map<string, KeyRecord>> {
    const text: unknown = (await this.#call('read', () => this.store.load())) ?? undefined;
    if (text === undefined) return new Map();
    if (typeof text !== 'string') throw damagedError('it is not text');
    return parseRecord(text);
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
  const list = [...keys].map(([key, { isRequired, isCaught, withheld, signed, plain }]) => ({
    public_key: key,
    required: isRequired,
    ...(isCaught && { caught: true }),
    withheld,
    signed,
    plain,
  }));
  return `${formatJson({ format: FORMAT, version: VERSION, keys: list })}\n`;
}

/** Formats the record. The signed transactions of the keys that were used first are left out if it is too long. */
function formatShort(keys: Map<string, KeyRecord>): string {
  let text = formatRecord(keys);
  for (const [key, record] of keys) {
    if (text.length <= MAX_RECORD_LENGTH) return text;
    keys.set(key, { ...record, signed: [], plain: [] });
    text = formatRecord(keys);
  }
  if (text.length > MAX_RECORD_LENGTH) throw recordError('has too many keys', undefined);
  return text;
}

function withDigest(digests: readonly string[], digest: Uint8Array): string[] {
  const hex = toHex(digest);
  return [...digests.filter(each => each !== hex), hex].slice(-MAX_SIGNED);
}

/** The same bytes with another nonce would be another transaction, and the chain would accept both. */
export function refuseSigned(digest: Uint8Array, signed: readonly string[]): void {
  if (!signed.includes(toHex(digest))) return;
  const message = 'this transaction may have been signed before: a second signature could pay a second time';
  throw new ZbcSignerError('ALREADY_SIGNED', message);
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
  const read = new Map(keys.map(readKey));
  if (read.size !== keys.length) throw damagedError('a key occurs twice');
  return read;
}

function readKey(json: unknown): [string, KeyRecord] {
  const {
    public_key: key,
    required,
    caught,
    withheld,
    signed,
    plain,
  }: Record<string, unknown> = Object(json);
  const isHash = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
  const isCount = typeof withheld === 'bigint' && withheld >= 0n && withheld <= MAX_WITHHELD;
  const isList = (list: unknown): list is string[] => Array.isArray(list) && list.every(isHash);
  if (!isHash(key) || typeof required !== 'boolean' || !isCount || !isList(signed) || !isList(plain))
    throw damagedError('a key is malformed');
  return [
    key,
    { isRequired: required, isCaught: caught !== undefined, withheld: Number(withheld), signed, plain },
  ];
}

function damagedError(fault: string, cause?: unknown): ZbcSignerError {
  return recordError(`is damaged: ${fault}`, cause);
}

function recordError(fault: string, cause: unknown): ZbcSignerError {
  const message = `nothing was sent, because the record of signings ${fault}`;
  return new ZbcSignerError('RECORD_DAMAGED', message, { cause });
}

export function unsignedError(code: ErrorCode, fault: string, facts: ErrorFacts = {}): ZbcSignerError {
  return new ZbcSignerError(code, `nothing was signed: the device ${fault}`, { facts });
}
