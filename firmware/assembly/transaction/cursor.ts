import { TRUNCATED } from '../../../protocol/src/refusal-reasons';
import { MALFORMED } from '../../../protocol/src/status-words';

/** The field that every refusal of the linked transaction reports (docs/APDU.md#refusal-details). */
export const FIELD_LINKED = 12;
export const RECIPIENT_FIELD = 5;
export const APPROVER_FIELD = 9;

/**
 * Reads bytes from front to back, once. The first refusal is kept. Reads after it return zeros and do not
 * move the position. A parser must therefore check for a refusal only before it dereferences a pointer.
 */
@unmanaged
export class Cursor {
  start: usize;
  position: usize;
  end: usize;
  /** Number of the field that is being read, 1 to 11. */
  field: i32;
  /**
   * Whether the buffer holds the linked transaction. It is already on the chain, so the rules on timeout and
   * sizes do not apply.
   */
  linked: bool;
  /** Status word of the refusal; 0 if there is none. */
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

  /** Records a refusal at `at`, an address in the buffer, unless a refusal is already recorded. */
  refuse(status: i32, reason: i32, at: usize): void {
    if (this.status !== 0) return;
    this.status = status;
    this.refusedField = this.linked ? FIELD_LINKED : this.field;
    this.refusedOffset = <i32>(at - this.start);
    this.reason = reason;
  }

  /** Records a refusal of a field and an offset, unless a refusal is already recorded. */
  refuseAt(status: i32, reason: i32, field: i32, offset: i32): void {
    if (this.status !== 0) return;
    this.status = status;
    this.refusedField = field;
    this.refusedOffset = offset;
    this.reason = reason;
  }

  /**
   * Returns the address of the next `length` bytes, or 0 after a refusal. Only this function checks a length
   * against the end of the buffer.
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
