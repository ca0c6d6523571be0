// Points of edwards25519 in extended coordinates: X, Y, Z and T = XY/Z, four field elements (RFC 8032
// §5.1.4).

import { copyField, encodeField, invertField, setField, signOfField } from './field';
import { CURVE_2D } from './flat/curve-tables';
import {
  addAndSubtractField,
  addField,
  multiplyField,
  squareField,
  squareFieldTwice,
  subtractField,
} from './flat/field-arithmetic';
import { TERM_1, TERM_2, TERM_3, TERM_4, TERM_5 } from './scratch';

export const Y: usize = 40;
export const Z: usize = 80;
export const T: usize = 120;

// E, F, G, H of RFC 8032 §5.1.4.
const E = TERM_1;
const F = TERM_2;
const G = TERM_3;
const H = TERM_4;

export function setNeutral(point: usize): void {
  setField(point, 0);
  setField(point + Y, 1);
  setField(point + Z, 1);
  setField(point + T, 0);
}

/**
 * point = 2 · point. T is not read. It is written only if `withT`, because another doubling does not need T.
 */
export function doublePoint(point: usize, withT: bool): void {
  squareField(TERM_1, point);
  squareField(TERM_2, point + Y);
  addAndSubtractField(H, G, TERM_2, TERM_1);
  addField(TERM_5, point, point + Y);
  squareField(E, TERM_5);
  subtractField(E, E, H);
  squareFieldTwice(F, point + Z);
  subtractField(F, F, G);
  finish(point, F, G, withT);
}

/** point += an affine point given as (y + x, y − x, 2dxy), three field elements. */
export function addEntry(point: usize, entry: usize, withT: bool): void {
  addField(G, point + Z, point + Z);
  combine(point, entry, entry + 40, entry + 80);
  finish(point, F, G, withT);
}

/** out = point as (Y + X, Y − X, Z, 2dT), four field elements: the form that addMultiple needs. */
export function prepareMultiple(out: usize, point: usize): void {
  addAndSubtractField(out, out + 40, point + Y, point);
  copyField(out + 80, point + Z);
  multiplyField(out + 120, point + T, CURVE_2D);
}

/** point += multiple */
export function addMultiple(point: usize, multiple: usize): void {
  doubleProduct(G, point + Z, multiple + 80);
  combine(point, multiple, multiple + 40, multiple + 120);
  finish(point, F, G, true);
}

/**
 * point −= multiple. Compared with the addition, y + x and y − x of the multiple are exchanged. F and G are
 * exchanged too, because the sign of T changes.
 */
export function subtractMultiple(point: usize, multiple: usize): void {
  doubleProduct(G, point + Z, multiple + 80);
  combine(point, multiple + 40, multiple, multiple + 120);
  finish(point, G, F, true);
}

/** Writes the point's 32 bytes (RFC 8032 §5.1.2). */
export function encodePoint(out: usize, point: usize): void {
  invertField(TERM_1, point + Z);
  multiplyField(TERM_2, point, TERM_1);
  multiplyField(TERM_3, point + Y, TERM_1);
  encodeField(out, TERM_3);
  store<u8>(out, load<u8>(out, 31) | <u8>(signOfField(TERM_2) << 7), 31);
}

function doubleProduct(out: usize, a: usize, b: usize): void {
  multiplyField(out, a, b);
  addField(out, out, out);
}

/** Computes E, H, F = D − C and G = D + C of the addition. Before the call, G holds D = 2·Z1·Z2. */
function combine(point: usize, yPlusX: usize, yMinusX: usize, t2d: usize): void {
  addAndSubtractField(TERM_1, TERM_2, point + Y, point);
  multiplyField(TERM_1, TERM_1, yPlusX); // B
  multiplyField(TERM_2, TERM_2, yMinusX); // A
  multiplyField(TERM_5, point + T, t2d); // C
  addAndSubtractField(H, E, TERM_1, TERM_2);
  addAndSubtractField(G, F, G, TERM_5);
}

/** X = EF, Y = GH, Z = FG, T = EH */
function finish(point: usize, f: usize, g: usize, withT: bool): void {
  multiplyField(point, E, f);
  multiplyField(point + Y, g, H);
  multiplyField(point + Z, f, g);
  if (withT) multiplyField(point + T, E, H);
}
