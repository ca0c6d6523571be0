import { MAX_LINKED, MAX_TRANSACTION } from '../../../protocol/src/limits';

const CAPACITY = MAX_TRANSACTION + MAX_LINKED;

/** The bytes that a command sends in chunks, in one bounded buffer. */
@unmanaged
export class Upload {
  /** INS of the chunks' command; 0 without one. */
  ins: i32;
  expected: i32;
  received: i32;

  /** Expects `length` bytes; the command's header checked the limit. */
  begin(ins: i32, length: i32): void {
    this.ins = ins;
    this.expected = length;
    this.received = 0;
  }

  drop(): void {
    this.ins = 0;
  }

  /** Drops the upload with all its bytes. */
  clear(): void {
    memory.fill(changetype<usize>(this), 0, UPLOAD_SIZE);
  }

  /** Adds a chunk; returns false if it exceeds the declared length. */
  append(data: usize, length: i32): bool {
    if (length > this.expected - this.received) return false;
    memory.copy(this.bytes + this.received, data, length);
    this.received += length;
    return true;
  }

  get isComplete(): bool {
    return this.received === this.expected;
  }

  get bytes(): usize {
    return changetype<usize>(this) + UPLOAD_HEADER;
  }
}

/** Bytes of static memory of an upload: its state, and the total. */
export const UPLOAD_HEADER: i32 = 16;
export const UPLOAD_SIZE: i32 = UPLOAD_HEADER + CAPACITY;
