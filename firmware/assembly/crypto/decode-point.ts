// Decoding of points (RFC 8032 §5.1.3). Use it only for public values, because its time depends on them.
import { decodeField, encodeField, isZeroField, raiseForRoot, setField, signOfField } from './field';
import { CURVE_D, SQRT_MINUS_ONE } from './flat/curve-tables';
import { addField, multiplyField, negateFieldIf, squareField, subtractField } from './flat/field-arithmetic';
import { T, Y, Z } from './point';
import { TERM_1, TERM_2, TERM_3, TERM_4, VERIFY_BYTES } from './scratch';

/**
 * point = the point that the 32 bytes encode. Returns false if y ≥ p, if no point has this y, or if x = 0 and
 * its sign bit is set.
 */
export function decodePoint(point: usize, bytes: usize): bool {
  decodeField(point + Y, bytes);
  setField(point + Z, 1);
  if (!findX(point)) return false;
  const sign: u32 = load<u8>(bytes, 31) >> 7;
  negateFieldIf(point, 0 - (signOfField(point) ^ sign));
  multiplyField(point + T, point, point + Y);
  encodeField(VERIFY_BYTES, point + Y);
  store<u8>(VERIFY_BYTES, load<u8>(VERIFY_BYTES, 31) | <u8>(signOfField(point) << 7), 31);
  return equalBytes(VERIFY_BYTES, bytes);
}

/**
 * X = √(u/v) with u = y² − 1 and v = dy² + 1, computed from the candidate u·v³·(u·v⁷)^((p − 5)/8). Returns
 * false if u/v has no square root.
 */
function findX(point: usize): bool {
  const u = TERM_1;
  const v = TERM_2;
  const v3 = TERM_3;
  const check = TERM_4;
  squareField(u, point + Y);
  multiplyField(v, u, CURVE_D);
  subtractField(u, u, point + Z);
  addField(v, v, point + Z);
  squareField(v3, v);
  multiplyField(v3, v3, v);
  squareField(point, v3);
  multiplyField(point, point, v);
  multiplyField(point, point, u);
  raiseForRoot(point, point);
  multiplyField(point, point, v3);
  multiplyField(point, point, u);
  squareField(check, point);
  multiplyField(check, check, v);
  subtractField(v3, check, u);
  if (isZeroField(v3)) return true;
  multiplyField(point, point, SQRT_MINUS_ONE);
  addField(v3, check, u);
  return isZeroField(v3);
}

/** Returns whether the 32 bytes at `a` and at `b` are equal. */
export function equalBytes(a: usize, b: usize): bool {
  for (let i = 0; i < 32; i += 8) if (load<u64>(a + i) !== load<u64>(b + i)) return false;
  return true;
}
