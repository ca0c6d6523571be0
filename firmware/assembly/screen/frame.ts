import { FRAME_LENGTH, SCREEN_WIDTH } from '../../../protocol/src/limits';
import { display } from '../hal';
import { sumOf } from '../sum';

const MARK: u8 = 0xa5;
const ROW_BYTES = SCREEN_WIDTH / 8;

// The frame has an extra byte: drawing a glyph that ends in the last column also writes the next byte,
// without setting a bit.
const frame: usize = memory.data(FRAME_LENGTH + 1, 8);

/**
 * Clears the frame. Traps if a fault cleared more bytes than the frame has. The extra bytes could belong to
 * the items of the page. They would then be missing from both drawings, and the comparison would not notice.
 */
export function clearFrame(): void {
  store<u8>(frame, MARK, FRAME_LENGTH);
  memory.fill(frame, 0, FRAME_LENGTH);
  if (load<u8>(frame, FRAME_LENGTH) !== MARK) unreachable();
}

/** Returns a checksum of the frame. */
export function sumOfFrame(): u64 {
  return sumOf(frame, FRAME_LENGTH);
}

/** Passes the frame to the platform. */
export function showFrame(): void {
  display(frame);
}

/**
 * Inverts pixels of row `y`, for each bit of the 16 bits that is set. The most significant bit is the pixel
 * at `x`, and the others follow to its right.
 */
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
