import { go, WAIT } from './pages';
import { state } from './state';

// The tasks of `work`, which runs one slice of a task per call. The values differ in several bits, so that a
// flipped bit does not turn one into another.
export const TASK_NONE: u32 = 0;
export const TASK_NOISE: u32 = 0x01010101;
export const TASK_STRETCH: u32 = 0x02020202;
export const TASK_START: u32 = 0x03030303;
export const TASK_PIN_NOISE: u32 = 0x04040404;
export const TASK_UNLOCK: u32 = 0x05050505;
export const TASK_STORE: u32 = 0x06060606;
export const TASK_ERASE: u32 = 0x07070707;

/** Begins a task. Button presses have no effect until it ends. */
export function beginTask(task: u32): void {
  state.task = task;
  state.step = 0;
  state.steps = 0;
  go(WAIT);
}

/** Traps unless this task is running. */
export function during(task: u32): void {
  if (state.task !== task) unreachable();
}

export function endTask(): void {
  state.task = TASK_NONE;
  state.step = 0;
  state.steps = 0;
}
