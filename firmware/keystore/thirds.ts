// A list of which each press keeps a third (docs/KEYSTORE.md#restore).
import { BOTH, LEFT } from '../assembly/screen/flow';
import { state } from './state';

/** Begins with the whole of a list. */
export function beginThirds(size: i32): void {
  state.from = 0;
  state.size = size;
  state.presses = 0;
}

/** The first of the part that a button keeps. */
export function thirdFrom(button: i32): i32 {
  if (button === LEFT) return state.from;
  if (button === BOTH) return state.from + sizeOf(0);
  return state.from + sizeOf(0) + (state.size === 2 ? 0 : sizeOf(1));
}

/** How many a button keeps: 0 when it does nothing. Of two, left and right keep one each; of one, both does. */
export function thirdSize(button: i32): i32 {
  if (state.size === 1) return button === BOTH ? 1 : 0;
  if (state.size === 2) return button === BOTH ? 0 : 1;
  return sizeOf(button === LEFT ? 0 : button === BOTH ? 1 : 2);
}

/** Keeps the part of a button; false when there is none. */
export function keepThird(button: i32): bool {
  const size = thirdSize(button);
  if (size === 0) return false;
  const from = state.size === 1 ? state.from : thirdFrom(button);
  state.from = from;
  state.size = size;
  state.presses += 1;
  return true;
}

/** Three parts whose sizes differ by one at most, the larger first. */
function sizeOf(part: i32): i32 {
  return (state.size + 2 - part) / 3;
}
