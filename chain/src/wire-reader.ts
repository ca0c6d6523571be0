import { bindMembers } from '@zbc-signer/protocol/bound-members';
import type { RefusalReason } from './refusal.js';
import { type SizeLimit, TransactionError } from './transaction-error.js';

/**
 * Reads little-endian fields. Its TransactionErrors name `fixedField` if it is given, and otherwise the field
 * of the last call of `enter`.
 */
export class WireReader {
  readonly #view: DataView;
  #offset = 0;
  #field = 1;

  constructor(
    readonly bytes: Uint8Array,
    readonly fixedField?: number,
  ) {
    bindMembers(this);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A copy of everything read so far. */
  get consumed(): Uint8Array {
    return Uint8Array.from(this.bytes.subarray(0, this.#offset));
  }

  /** Number of bytes read so far. */
  get offset(): number {
    return this.#offset;
  }

  /** Number of bytes that are not read yet. */
  get remaining(): number {
    return this.bytes.length - this.#offset;
  }

  /** Sets the number of the field that later errors name. */
  enter(field: number): this {
    this.#field = field;
    return this;
  }

  /** Reads one byte. */
  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  /** Reads four bytes as an unsigned integer. */
  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  /** Reads eight bytes as an unsigned integer. */
  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), true);
  }

  /** Reads eight bytes as a signed integer. */
  i64(): bigint {
    return this.#view.getBigInt64(this.#advance(8), true);
  }

  /** Reads one byte that must be 0 or 1; refuses any other value with `reason`. */
  flag(reason: RefusalReason): boolean {
    const start = this.#offset;
    const flag = this.u8();
    if (flag > 1) this.refuse(reason, start);
    return flag === 1;
  }

  /** Reads `length` bytes as a copy, because a decoded transaction must not change with the input. */
  take(length: number): Uint8Array {
    const start = this.#advance(length);
    return Uint8Array.from(this.bytes.subarray(start, start + length));
  }

  /** Throws TransactionError. `offset` is in bytes, by default the position of the reader. */
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
