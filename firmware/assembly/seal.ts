import { COMMAND_STATE, ITEMS_SPACE, items, STATE_SIZE, state, upload } from './session';
import { sumOf } from './sum';

let seal: u64 = 0;

/** Records the state at the end of an event. */
export function sealState(): void {
  seal = sumOf(state, STATE_SIZE);
}

/**
 * Traps if the state differs from that at the end of the last event: only a memory fault changes it in
 * between.
 */
export function checkSeal(): void {
  if (sumOf(state, STATE_SIZE) !== seal) unreachable();
}

/** Erases the current command with all its bytes. */
export function clearCommand(): void {
  memory.fill(state, 0, COMMAND_STATE);
  upload.clear();
}

/** A sum over the items of a review, with their values. */
export function sumOfItems(): u64 {
  return sumOf(changetype<usize>(items), ITEMS_SPACE);
}
