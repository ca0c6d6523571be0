// Selection from a list, in which each press keeps a third of the list (docs/KEYSTORE.md#restore).
import { BOTH, LEFT } from '../assembly/screen/flow';
import { state } from './state';

/** Begins a selection from a list of `size` entries. */
export function beginThirds(size: i32): void {
  state.from = 0;
  state.size = size;
  state.presses = 0;
}

/** Returns the first entry of the part that a button keeps. */
export function thirdFrom(button: i32): i32 {
  if (button === LEFT) return state.from;
  if (button === BOTH) return state.from + sizeOf(0);
  return state.from + sizeOf(0) + (state.size === 2 ? 0 : sizeOf(1));
}

/**
 * Returns the size of the part that a button keeps, or 0 if the button has no effect. If two entries remain,
 * LEFT and RIGHT keep one entry each. If one entry remains, only BOTH has an effect, and keeps it.
 */
export function thirdSize(button: i32): i32 {
  if (state.size === 1) return button === BOTH ? 1 : 0;
  if (state.size === 2) return button === BOTH ? 0 : 1;
  return sizeOf(button === LEFT ? 0 : button === BOTH ? 1 : 2);
}

/** Keeps the part of a button. Returns false if the button has no effect. */
export function keepThird(button: i32): bool {
  const size = thirdSize(button);
  if (size === 0) return false;
  const from = state.size === 1 ? state.from : thirdFrom(button);
  state.from = from;
  state.size = size;
  state.presses += 1;
  return true;
}

/** Returns the size of a part, 0 to 2. The sizes differ by at most one, and the larger parts are first. */
function sizeOf(part: i32): i32 {
  return (state.size + 2 - part) / 3;
}
