import { COMMAND_STATE, ITEMS_SPACE, items, STATE_SIZE, state, upload } from './session';

// An odd factor makes each step of the sum reversible, so a change within one word always changes it.
const START: u64 = 0x9e3779b97f4a7c15;
const FACTOR: u64 = 0xff51afd7ed558ccd;

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

/** A sum over `length` bytes, a multiple of 8. */
function sumOf(from: usize, length: i32): u64 {
  let sum = START;
  for (let at = from; at < from + length; at += 8) sum = (sum ^ load<u64>(at)) * FACTOR;
  return sum ^ (sum >> 32);
}
