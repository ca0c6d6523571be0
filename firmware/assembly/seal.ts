import { COMMAND_STATE, ITEMS_SPACE, items, REVIEW_STATE, STATE_SIZE, state, upload } from './session';
import { sumOf } from './sum';

let seal: u64 = 0;

/** Records a checksum of the state at the end of an event, such as a command or a button press. */
export function sealState(): void {
  seal = sumOf(state, STATE_SIZE);
}

/** Traps if the state has changed since the end of the last event, which only a memory fault can cause. */
export function checkSeal(): void {
  if (sumOf(state, STATE_SIZE) !== seal) unreachable();
}

/** Erases the state of the current command and all uploaded bytes. */
export function clearCommand(): void {
  memory.fill(state, 0, COMMAND_STATE);
  upload.clear();
}

/** Erases what only a review needs: its items and position, contacts and token details. */
export function clearReview(): void {
  memory.fill(state + REVIEW_STATE, 0, COMMAND_STATE - REVIEW_STATE);
}

/** Returns a checksum of the items of a review and their formatted values. */
export function sumOfItems(): u64 {
  return sumOf(changetype<usize>(items), ITEMS_SPACE);
}
