import { derivePath, fromHex, toHex } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { EmulatorError } from '../../errors.js';
import { type KeystoreVault, RECORD_LENGTH } from './keystore.js';

const KEY_LENGTH = 32;
const MAX_TEXT = 4096;

interface VaultContents {
  key: string;
  count: number;
  record: string | null;
  /** Hash of the proof of the record's PIN. */
  proof: string | null;
}

/** The place where a vault is kept. */
export interface VaultPlace {
  /** Name of the place, for errors. */
  name: string;
  /** The text that was saved last; undefined if none was. Throws if it cannot be read. */
  load(): string | undefined;
  /** Throws if the text cannot be saved. */
  save(text: string): void;
}

const HEX_32 = /^[0-9a-f]{64}$/;
const RECORD = new RegExp(`^[0-9a-f]{${2 * RECORD_LENGTH}}$`);

/** A model of a vault, which keeps a record and counts attempts like a secure element. */
export abstract class VaultModel implements KeystoreVault {
  #contents: VaultContents;
  #mayStretch = false;

  /** Throws VAULT_UNREADABLE if the place has something else than a vault. */
  protected constructor(private readonly place: VaultPlace) {
    bindMembers(this);
    this.#contents = readVault(place) ?? {
      key: toHex(crypto.getRandomValues(new Uint8Array(KEY_LENGTH))),
      count: 0,
      record: null,
      proof: null,
    };
    this.#save();
  }

  read(out: Uint8Array): boolean {
    const { record } = this.#contents;
    out.set(record === null ? new Uint8Array(RECORD_LENGTH) : fromHex(record));
    return true;
  }

  write(record: Uint8Array, oldProof: Uint8Array, newProof: Uint8Array): boolean {
    if (this.#contents.record !== null && !this.#proves(oldProof)) return false;
    return this.#change({
      record: toHex(record),
      proof: toHex(hash(newProof)),
    });
  }

  erase(): boolean {
    return this.#change({ record: null, proof: null, count: 0 });
  }

  readCount(out: Uint8Array): boolean {
    new DataView(out.buffer, out.byteOffset).setUint32(0, this.#contents.count, true);
    return true;
  }

  beginAttempt(): boolean {
    this.#mayStretch = this.#change({ count: this.#contents.count + 1 });
    return this.#mayStretch;
  }

  stretch(from: Uint8Array, out: Uint8Array): boolean {
    out.fill(0);
    if (!this.#mayStretch) return false;
    this.#mayStretch = false;
    out.set(hash(fromHex(this.#contents.key), from));
    return true;
  }

  clearAttempts(proof: Uint8Array): boolean {
    return this.#proves(proof) && this.#change({ count: 0 });
  }

  #proves(given: Uint8Array): boolean {
    return this.#contents.proof === toHex(hash(given));
  }

  #change(changes: Partial<VaultContents>): boolean {
    const before = this.#contents;
    this.#contents = { ...before, ...changes };
    try {
      this.#save();
      return true;
    } catch {
      this.#contents = before;
      return false;
    }
  }

  #save(): void {
    this.place.save(`${JSON.stringify(this.#contents)}\n`);
  }
}

/** 32 bytes of the HMAC-SHA-512 with which SLIP-0010 begins. */
function hash(...parts: Uint8Array[]): Uint8Array {
  return derivePath(Uint8Array.from(parts.flatMap(part => [...part])), []);
}

function readVault({ name, load }: VaultPlace): VaultContents | undefined {
  const unreadable = (reason: string) =>
    new EmulatorError('VAULT_UNREADABLE', `the vault ${name} cannot be read: ${reason}`);
  let text: string | undefined;
  try {
    text = load();
  } catch (error) {
    throw unreadable((error as Error).message);
  }
  const contents = text === undefined ? undefined : parseContents(text);
  if (text !== undefined && !contents) throw unreadable('it is not in the format of a vault');
  return contents;
}

function parseContents(text: string): VaultContents | undefined {
  if (text.length > MAX_TEXT) return undefined;
  try {
    const { key, count, record, proof }: VaultContents = Object(JSON.parse(text));
    const isRecord = record === null || RECORD.test(record);
    const isProof = proof === null || HEX_32.test(proof);
    const isCount = Number.isInteger(count) && count >= 0;
    return HEX_32.test(key) && isCount && isRecord && isProof ? { key, count, record, proof } : undefined;
  } catch {
    return undefined;
  }
}
