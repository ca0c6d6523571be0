import { COMMAND_STATE, ITEMS_SPACE, items, STATE_SIZE, state, upload } from './session';
import { sumOf } from './sum';

let seal: u64 = 0;

/** Takes note of the state, at the end of an event. */
export function sealState(): void {
  seal = sumOf(state, STATE_SIZE);
}

/** Traps when the state is not what the last event left: a memory fault, since nothing else writes it. */
export function checkSeal(): void {
  if (sumOf(state, STATE_SIZE) !== seal) unreachable();
}

/** Forgets the command under way, with every byte it brought. */
export function clearCommand(): void {
  memory.fill(state, 0, COMMAND_STATE);
  upload.clear();
}

/** A sum over the items of a review, with their values. */
export function sumOfItems(): u64 {
  return sumOf(changetype<usize>(items), ITEMS_SPACE);
}
