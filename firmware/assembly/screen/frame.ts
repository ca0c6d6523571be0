import { FRAME_LENGTH, SCREEN_WIDTH } from '../../../protocol/src/limits';
import { display } from '../hal';
import { sumOf } from '../sum';

const MARK: u8 = 0xa5;
const ROW_BYTES = SCREEN_WIDTH / 8;

// The frame has one more byte: a glyph that ends in the last column also touches the byte after it, with no
// bit set.
const frame: usize = memory.data(FRAME_LENGTH + 1, 8);

/** Traps if too much was cleared, which would then be missing from both drawings of a page. */
export function clearFrame(): void {
  store<u8>(frame, MARK, FRAME_LENGTH);
  memory.fill(frame, 0, FRAME_LENGTH);
  if (load<u8>(frame, FRAME_LENGTH) !== MARK) unreachable();
}

/** A sum over the frame's bytes. */
export function sumOfFrame(): u64 {
  return sumOf(frame, FRAME_LENGTH);
}

/** Hands the frame to the platform. */
export function showFrame(): void {
  display(frame);
}

/** Inverts those pixels of row `y` from `x` on whose bits, 16 with the most significant first, are set. */
export function invertBits(x: i32, y: i32, bits: u32): void {
  const at = frame + y * ROW_BYTES + (x >> 3);
  const shifted = (bits << 8) >> (x & 7);
  store<u8>(at, load<u8>(at) ^ (shifted >> 16));
  store<u8>(at, load<u8>(at, 1) ^ (shifted >> 8), 1);
  if ((shifted & 0xff) !== 0) store<u8>(at, load<u8>(at, 2) ^ shifted, 2);
}

/** Lights whole rows. */
export function fillRows(y: i32, rows: i32): void {
  memory.fill(frame + y * ROW_BYTES, 0xff, rows * ROW_BYTES);
}
