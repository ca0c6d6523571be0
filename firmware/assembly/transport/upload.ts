import { MAX_LINKED, MAX_TRANSACTION } from '../../../protocol/src/limits';

const CAPACITY = MAX_TRANSACTION + MAX_LINKED;

/** The bytes that a host sends in several chunks, in one buffer of fixed size. */
@unmanaged
export class Upload {
  /** Instruction byte of the command whose chunks or REVEAL are expected; 0 if none are. */
  ins: i32;
  expected: i32;
  received: i32;

  /** Begins an upload of `length` bytes. The caller must have checked that they fit. */
  begin(ins: i32, length: i32): void {
    this.ins = ins;
    this.expected = length;
    this.received = 0;
  }

  /** Keeps the bytes of a complete upload for the REVEAL of an instruction. */
  awaitReveal(ins: i32): void {
    this.ins = ins;
  }

  drop(): void {
    this.ins = 0;
  }

  /** Erases the upload and all its bytes. */
  clear(): void {
    memory.fill(changetype<usize>(this), 0, UPLOAD_SIZE);
  }

  /** Appends a chunk. Returns false if the upload would exceed its declared length. */
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

/** Number of bytes of static memory of an upload: its state, and the total. */
export const UPLOAD_HEADER: i32 = 16;
export const UPLOAD_SIZE: i32 = UPLOAD_HEADER + CAPACITY;
