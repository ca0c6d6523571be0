// A list that each press reduces to a third (docs/KEYSTORE.md#restore).
import { BOTH, LEFT } from '../assembly/screen/flow';
import { state } from './state';

/** Begins with a whole list. */
export function beginThirds(size: i32): void {
  state.from = 0;
  state.size = size;
  state.presses = 0;
}

/** The start of the part that a button keeps. */
export function thirdFrom(button: i32): i32 {
  if (button === LEFT) return state.from;
  if (button === BOTH) return state.from + sizeOf(0);
  return state.from + sizeOf(0) + (state.size === 2 ? 0 : sizeOf(1));
}

/**
 * The size of the part that a button keeps: 0 if it has no effect. With two entries, left and right keep one
 * each; with one entry, both does.
 */
export function thirdSize(button: i32): i32 {
  if (state.size === 1) return button === BOTH ? 1 : 0;
  if (state.size === 2) return button === BOTH ? 0 : 1;
  return sizeOf(button === LEFT ? 0 : button === BOTH ? 1 : 2);
}

/** Keeps the part of a button; returns false if it is empty. */
export function keepThird(button: i32): bool {
  const size = thirdSize(button);
  if (size === 0) return false;
  const from = state.size === 1 ? state.from : thirdFrom(button);
  state.from = from;
  state.size = size;
  state.presses += 1;
  return true;
}

/** The three parts differ in size by at most one, the larger ones first. */
function sizeOf(part: i32): i32 {
  return (state.size + 2 - part) / 3;
}
