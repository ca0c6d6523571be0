// Runs the tasks, one slice per call. Composes the pages for failures of the board.
import { wipe } from '../assembly/crypto/wipe';
import { BOTH } from '../assembly/screen/flow';
import * as texts from './generated/texts';
import { DONE, NOT_YET, noise } from './hal';
import { beginMenu, put } from './layout';
import { endStretch } from './menu';
import { drawPiece, formDevicePart, NOISE_STEPS, passesTests } from './noise';
import { DEVICE_PART, EMPTY, go, LOCKED, MENU_NEW, MENU_UNLOCK, NOISE_FAILED, OPENED, WAIT } from './pages';
import { stretchSlice } from './passphrase';
import { endShuffle, shuffle } from './pin';
import { board, forgetAll, forgetEntry, OPEN, SHUFFLE_NOISE, shuffleNoise, state } from './state';
import {
  beginTask,
  during,
  endTask,
  TASK_ERASE,
  TASK_NOISE,
  TASK_NONE,
  TASK_SHUFFLE,
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
  if (task === TASK_NOISE) noiseSlice();
  else if (task === TASK_STRETCH) stretchOn();
  else if (task === TASK_SHUFFLE) shuffleSlice();
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

export function pressVaultFailed(button: i32): void {
  if (button === BOTH) beginTask(TASK_START);
}

/** Reads noise for the device's part of a seed. If the noise does not pass its tests, no seed is created. */
function noiseSlice(): void {
  during(TASK_NOISE);
  state.steps = NOISE_STEPS;
  const answer = drawPiece();
  if (answer === NOT_YET || (answer === DONE && state.step < NOISE_STEPS)) return;
  if (answer !== DONE || !passesTests()) {
    failNoise();
    return;
  }
  formDevicePart();
  go(DEVICE_PART);
}

function stretchOn(): void {
  if (stretchSlice()) endStretch();
}

function shuffleSlice(): void {
  during(TASK_SHUFFLE);
  state.steps = 1;
  const answer = noise(shuffleNoise, SHUFFLE_NOISE);
  if (answer === NOT_YET) return;
  if (answer !== DONE) {
    failNoise();
    return;
  }
  const isShuffled = shuffle();
  wipe(shuffleNoise, SHUFFLE_NOISE);
  if (isShuffled) endShuffle();
}

function failNoise(): void {
  if (state.opened === OPEN) forgetEntry();
  else forgetAll();
  go(NOISE_FAILED);
}
