import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { EmulatorError } from '../../errors.js';

/** Length of a record (docs/KEYSTORE.md#with-a-vault). */
export const RECORD_LENGTH = 82;
const KEY_LENGTH = 32;
const MAX_FILE = 4096;

interface Contents {
  key: string;
  count: number;
  record: string | null;
  /** SHA-256 of the proof of the record's PIN. */
  proof: string | null;
}

const HEX_32 = /^[0-9a-f]{64}$/;
const RECORD = new RegExp(`^[0-9a-f]{${2 * RECORD_LENGTH}}$`);

/**
 * A model of a vault in memory or in a file, which keeps a record and counts attempts like a secure element.
 * It protects nothing, because the file contains the key.
 */
export class Vault {
  #contents: Contents;
  #mayStretch = false;

  /** Throws VAULT_UNREADABLE if the file is not a vault; a missing file is created. */
  constructor(private readonly path?: string) {
    bindMembers(this);
    this.#contents = (path === undefined ? undefined : readVault(path)) ?? {
      key: randomBytes(KEY_LENGTH).toString('hex'),
      count: 0,
      record: null,
      proof: null,
    };
    if (path !== undefined) this.#save();
  }

  /** Fills `out` with the record, or with zeros if no record is stored. */
  read(out: Uint8Array): boolean {
    const { record } = this.#contents;
    out.set(record === null ? new Uint8Array(RECORD_LENGTH) : Buffer.from(record, 'hex'));
    return true;
  }

  /**
   * Stores a record of 82 bytes with the proof of its PIN. Returns false if it could not be stored, or if a
   * record is stored and `oldProof` is not its proof.
   */
  write(record: Uint8Array, oldProof: Uint8Array, newProof: Uint8Array): boolean {
    if (this.#contents.record !== null && !this.#proves(oldProof)) return false;
    return this.#change({
      record: Buffer.from(record).toString('hex'),
      proof: sha256(newProof).toString('hex'),
    });
  }

  /** Erases the record and the count of attempts. Returns false on failure. */
  erase(): boolean {
    return this.#change({ record: null, proof: null, count: 0 });
  }

  /** Fills `out` with the attempts since the last success, as a little-endian u32. */
  readCount(out: Uint8Array): boolean {
    new DataView(out.buffer, out.byteOffset).setUint32(0, this.#contents.count, true);
    return true;
  }

  /** Counts an attempt in advance. Returns false if it could not be counted: then it must not be made. */
  beginAttempt(): boolean {
    this.#mayStretch = this.#change({ count: this.#contents.count + 1 });
    return this.#mayStretch;
  }

  /** Derives `out` from `from` and the key of the vault, once per attempt. Otherwise returns false. */
  stretch(from: Uint8Array, out: Uint8Array): boolean {
    out.fill(0);
    if (!this.#mayStretch) return false;
    this.#mayStretch = false;
    const key = Buffer.from(this.#contents.key, 'hex');
    out.set(createHmac('sha512', key).update(from).digest().subarray(0, KEY_LENGTH));
    return true;
  }

  /** Clears the count of attempts. Returns false if this is not the proof of the record, or on failure. */
  clearAttempts(proof: Uint8Array): boolean {
    return this.#proves(proof) && this.#change({ count: 0 });
  }

  #proves(given: Uint8Array): boolean {
    const { proof } = this.#contents;
    return proof !== null && timingSafeEqual(sha256(given), Buffer.from(proof, 'hex'));
  }

  #change(changes: Partial<Contents>): boolean {
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

  /** Saves atomically, even if the power fails. */
  #save(): void {
    if (this.path === undefined) return;
    const temporary = `${this.path}.new`;
    const file = openSync(temporary, 'w', 0o600);
    try {
      writeSync(file, `${JSON.stringify(this.#contents)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, this.path);
    const directory = openSync(dirname(this.path), 'r');
    fsyncSync(directory);
    closeSync(directory);
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

function readVault(path: string): Contents | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, (error as Error).message);
  }
  const contents = parseContents(text);
  if (contents === undefined) throw unreadable(path, 'the file is not in the format of a vault');
  return contents;
}

function parseContents(text: string): Contents | undefined {
  if (text.length > MAX_FILE) return undefined;
  try {
    const { key, count, record, proof }: Contents = Object(JSON.parse(text));
    const isRecord = record === null || RECORD.test(record);
    const isProof = proof === null || HEX_32.test(proof);
    const isCount = Number.isInteger(count) && count >= 0;
    return HEX_32.test(key) && isCount && isRecord && isProof ? { key, count, record, proof } : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(path: string, reason: string): EmulatorError {
  return new EmulatorError('VAULT_UNREADABLE', `the vault ${path} cannot be read: ${reason}`);
}
