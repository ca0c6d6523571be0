import { concatBytes } from '@noble/hashes/utils.js';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { MAX_I64, MAX_U64 } from './amount.js';
import { invalidInputError } from './error.js';

const MAX_U8 = 0xff;
const MAX_U32 = 0xffffffff;

/** Writes little-endian fields; throws `INVALID_INPUT` for a value that does not fit. */
export class WireWriter {
  readonly #parts: Uint8Array[] = [];

  constructor() {
    bindMembers(this);
  }

  /** Writes the bytes unchanged. */
  bytes(value: Uint8Array): this {
    this.#parts.push(value);
    return this;
  }

  /** Writes one byte: 0 to 255. */
  u8(value: number): this {
    if (!Number.isInteger(value) || value < 0 || value > MAX_U8) {
      throw invalidInputError(`${value} does not fit an unsigned 8-bit field`);
    }
    return this.bytes(Uint8Array.of(value));
  }

  /** Writes four bytes: 0 to 2^32 - 1. */
  u32(value: number): this {
    if (!Number.isInteger(value) || value < 0 || value > MAX_U32) {
      throw invalidInputError(`${value} does not fit an unsigned 32-bit field`);
    }
    return this.#field(4, view => view.setUint32(0, value, true));
  }

  /** Writes eight bytes: 0 to 2^64 - 1. */
  u64(value: bigint): this {
    return this.#wide(value, 0n, MAX_U64, 'an unsigned');
  }

  /** Writes eight bytes: -2^63 to 2^63 - 1. */
  i64(value: bigint): this {
    return this.#wide(value, -MAX_I64 - 1n, MAX_I64, 'a signed');
  }

  /** Writes a u32 length, then the bytes. */
  counted(value: Uint8Array): this {
    return this.u32(value.length).bytes(value);
  }

  /** Returns all bytes that were written. */
  finish(): Uint8Array {
    return concatBytes(...this.#parts);
  }

  /** Rejects strings, which would be converted, and numbers, which would cause a TypeError. */
  #wide(value: bigint, least: bigint, most: bigint, sort: string): this {
    if (typeof value !== 'bigint' || value < least || value > most) {
      throw invalidInputError(`${value} does not fit ${sort} 64-bit field`);
    }
    // For an unsigned value, setBigUint64 would write the same bytes.
    return this.#field(8, view => view.setBigInt64(0, value, true));
  }

  #field(length: number, write: (view: DataView) => void): this {
    const bytes = new Uint8Array(length);
    write(new DataView(bytes.buffer));
    return this.bytes(bytes);
  }
}
