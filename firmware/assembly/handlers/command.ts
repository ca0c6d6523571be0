import { CLA_SIGNER, P1_HEADER, P2_NONE } from '../../../protocol/src/commands';
import { APDU_HEADER_LENGTH } from '../../../protocol/src/limits';
import {
  BAD_STATE,
  CLA_NOT_SUPPORTED,
  INS_NOT_SUPPORTED,
  OK,
  WRONG_LENGTH,
  WRONG_P1P2,
} from '../../../protocol/src/status-words';
import { NOT_WHOLE } from '../transport/link';

/** A short APDU; `data` points into the APDU buffer. */
@unmanaged
export class Command {
  cla: i32;
  ins: i32;
  p1: i32;
  p2: i32;
  data: usize;
  length: i32;
  /** The status word of the reply if no row of the table in apdu/commands.ts matches. */
  status: i32;
  /** Whether another channel has an upload or an approval that waits for REVEAL, which this command must not change. */
  isAside: bool;

  /** Reads the `length` bytes at `buffer`; returns false if they do not have the length of an APDU. */
  read(buffer: usize, length: i32): bool {
    this.status = length === NOT_WHOLE ? BAD_STATE : WRONG_LENGTH;
    if (length < APDU_HEADER_LENGTH || <i32>load<u8>(buffer, 4) !== length - APDU_HEADER_LENGTH) return false;
    this.cla = load<u8>(buffer);
    this.ins = load<u8>(buffer, 1);
    this.p1 = load<u8>(buffer, 2);
    this.p2 = load<u8>(buffer, 3);
    this.data = buffer + APDU_HEADER_LENGTH;
    this.length = length - APDU_HEADER_LENGTH;
    this.status = CLA_NOT_SUPPORTED;
    return true;
  }

  /** Returns whether this has the instruction `ins` and this P1, and no options. */
  isPart(ins: i32, p1: i32): bool {
    return this.cla === CLA_SIGNER && this.ins === ins && this.p1 === p1 && this.p2 === P2_NONE;
  }

  /**
   * Returns whether this APDU has the class `cla`, the instruction `ins`, a P1 of at most `lastP1` and a P2
   * of 0, or in a header of bits of `options`. If not, `status` is set to the closest mismatch so far, such as
   * WRONG_P1P2 if the class and the instruction matched. In the class CLA_ECOSYSTEM an unknown instruction
   * leaves CLA_NOT_SUPPORTED, as host tools expect of an app.
   */
  is(cla: i32, ins: i32, lastP1: i32, options: i32): bool {
    if (this.cla !== cla) return false;
    if (cla === CLA_SIGNER && this.status === CLA_NOT_SUPPORTED) this.status = INS_NOT_SUPPORTED;
    if (this.ins !== ins) return false;
    const isAllowed = this.p1 <= lastP1 && this.hasOptions(this.p1 === P1_HEADER ? options : P2_NONE);
    this.status = isAllowed ? OK : WRONG_P1P2;
    return this.status === OK;
  }

  /** Returns whether P2 has no other bits than `options`. */
  hasOptions(options: i32): bool {
    return (this.p2 & ~options) === 0;
  }
}
