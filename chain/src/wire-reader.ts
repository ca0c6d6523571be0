import type { RefusalReason } from './refusal.js';
import { type SizeLimit, TransactionError } from './transaction-error.js';

/**
 * Reads little-endian fields; throws TransactionError naming `fixedField`, otherwise the field entered last.
 */
export class WireReader {
  readonly #view: DataView;
  #offset = 0;
  #field = 1;

  constructor(
    readonly bytes: Uint8Array,
    readonly fixedField?: number,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A copy of everything read so far. */
  get consumed(): Uint8Array {
    return Uint8Array.from(this.bytes.subarray(0, this.#offset));
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#offset;
  }

  /** Bytes not read yet. */
  get remaining(): number {
    return this.bytes.length - this.#offset;
  }

  /** Sets the wire-format row that later errors name. */
  enter(field: number): this {
    this.#field = field;
    return this;
  }

  /** One byte. */
  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  /** Four bytes, unsigned. */
  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  /** Eight bytes, unsigned. */
  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), true);
  }

  /** Eight bytes, signed. */
  i64(): bigint {
    return this.#view.getBigInt64(this.#advance(8), true);
  }

  /** One byte, 0 or 1; refuses others for `reason`. */
  flag(reason: RefusalReason): boolean {
    const start = this.#offset;
    const flag = this.u8();
    if (flag > 1) this.refuse(reason, start);
    return flag === 1;
  }

  /** Returns a copy, because a decoded transaction must not change with the input. */
  take(length: number): Uint8Array {
    const start = this.#advance(length);
    return Uint8Array.from(this.bytes.subarray(start, start + length));
  }

  /** Throws TransactionError; `offset` in bytes, by default the position of the reader. */
  refuse(reason: RefusalReason, offset = this.#offset, size?: SizeLimit): never {
    throw new TransactionError(reason, this.fixedField ?? this.#field, offset, size);
  }

  #advance(length: number): number {
    if (length > this.remaining) this.refuse('truncated');
    const start = this.#offset;
    this.#offset += length;
    return start;
  }
}
