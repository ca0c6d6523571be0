// Runs the tasks, one slice per call. Composes the pages for failures of the board.
import { BOTH } from '../assembly/screen/flow';
import * as texts from './generated/texts';
import { DONE, NOT_YET } from './hal';
import { beginMenu, put } from './layout';
import { endStretch } from './menu';
import { drawPiece, formDevicePart, formNoiseKey, NOISE_STEPS } from './noise';
import { DEVICE_PART, EMPTY, go, LOCKED, MENU_NEW, MENU_UNLOCK, NOISE_FAILED, OPENED, WAIT } from './pages';
import { stretchSlice } from './passphrase';
import { askDigit } from './pin';
import { board, forgetAll, forgetEntry, OPEN, state } from './state';
import {
  during,
  endTask,
  TASK_ERASE,
  TASK_NOISE,
  TASK_NONE,
  TASK_PIN_NOISE,
  TASK_START,
  TASK_STORE,
  TASK_STRETCH,
  TASK_UNLOCK,
} from './task';
import { eraseSlice, startSlice, storeSlice, unlockSlice } from './vault';

/** Runs a slice of the current task. Returns whether more slices remain. */
export function workSlice(): bool {
  const task = state.task;
  if (task === TASK_NONE) return false;
  if (task === TASK_NOISE) partSlice();
  else if (task === TASK_STRETCH) stretchOn();
  else if (task === TASK_PIN_NOISE) pinSlice();
  else if (task === TASK_START) startSlice();
  else if (task === TASK_UNLOCK) unlockSlice();
  else if (task === TASK_STORE) storeSlice();
  else if (task === TASK_ERASE) eraseSlice();
  else unreachable();
  // The task has ended if it has selected another page.
  if (state.page !== WAIT) endTask();
  return state.task !== TASK_NONE;
}

export function composeNoiseFailed(): void {
  beginMenu(texts.NOISE_SOURCE, 0, 1);
  put(texts.HAS_FAILED);
}

export function pressNoiseFailed(button: i32): void {
  if (button !== BOTH) return;
  if (state.opened === OPEN) go(OPENED);
  else if (board.hasRecord) go(LOCKED, MENU_UNLOCK);
  else go(EMPTY, MENU_NEW);
}

export function composeVaultFailed(): void {
  beginMenu(texts.VAULT, 0, 1);
  put(texts.HAS_FAILED);
}

function partSlice(): void {
  during(TASK_NOISE);
  if (!hasDrawn()) return;
  formDevicePart();
  go(DEVICE_PART);
}

function pinSlice(): void {
  during(TASK_PIN_NOISE);
  if (!hasDrawn()) return;
  formNoiseKey();
  askDigit();
}

/** Reads a piece of noise. Returns whether all noise is read and passes its tests. A failure ends the task. */
function hasDrawn(): bool {
  state.steps = NOISE_STEPS;
  const answer = drawPiece();
  if (answer !== DONE && answer !== NOT_YET) failNoise();
  return answer === DONE;
}

function stretchOn(): void {
  if (stretchSlice()) endStretch();
}

function failNoise(): void {
  if (state.opened === OPEN) forgetEntry();
  else forgetAll();
  go(NOISE_FAILED);
}
