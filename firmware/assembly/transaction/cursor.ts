import { TRUNCATED } from '../../../protocol/src/refusal-reasons';
import { MALFORMED } from '../../../protocol/src/status-words';

/** `field` of every refusal inside the linked transaction (docs/APDU.md#refusal-details). */
const FIELD_LINKED = 12;

/**
 * Reads bytes front to back, once. The first refusal sticks: reads after it return zeros and move nothing, so
 * a parser need not check after each field, only before it follows a pointer.
 */
@unmanaged
export class Cursor {
  start: usize;
  position: usize;
  end: usize;
  /** Row of the wire format that is being read, 1 to 11. */
  field: i32;
  /**
   * Whether the buffer holds a transaction that is already on the chain: rules on timeout and sizes then do
   * not apply.
   */
  linked: bool;
  /** Status word of the refusal; 0 without one. */
  status: i32;
  refusedField: i32;
  refusedOffset: i32;
  reason: i32;

  open(start: usize, length: i32, linked: bool): void {
    this.start = start;
    this.position = start;
    this.end = start + length;
    this.field = 0;
    this.linked = linked;
    this.status = 0;
  }

  /** Refuses at `at`, an address inside the buffer, unless something was refused before. */
  refuse(status: i32, reason: i32, at: usize): void {
    if (this.status !== 0) return;
    this.status = status;
    this.refusedField = this.linked ? FIELD_LINKED : this.field;
    this.refusedOffset = <i32>(at - this.start);
    this.reason = reason;
  }

  /**
   * Address of the next `length` bytes, or 0 after a refusal: the only place where a length is checked
   * against the buffer.
   */
  take(length: i32): usize {
    if (this.status !== 0) return 0;
    const at = this.position;
    if (<u32>length > <u32>(this.end - at)) {
      this.refuse(MALFORMED, TRUNCATED, at);
      return 0;
    }
    this.position = at + length;
    return at;
  }

  u8(): u32 {
    const at = this.take(1);
    return at !== 0 ? <u32>load<u8>(at) : 0;
  }

  u32(): u32 {
    const at = this.take(4);
    return at !== 0 ? load<u32>(at) : 0;
  }

  u64(): u64 {
    const at = this.take(8);
    return at !== 0 ? load<u64>(at) : 0;
  }
}
