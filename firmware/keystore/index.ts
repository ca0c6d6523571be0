// The keystore: a separate module in front of the signer, where a seed is created, entered and forgotten
// (docs/KEYSTORE.md). No export accepts bytes from a host, and only the seed is exported.
import { BOTH, LEFT } from '../assembly/screen/flow';
import { pressOnPage, showPage } from './device';
import { closeAll, isOpen, returnToMenu } from './menu';
import { EMPTY, go, LOCKED, MENU_TOP } from './pages';
import { board, checkSeal, OPEN, sealState, seedBytes, state } from './state';
import { beginTask, TASK_NONE, TASK_START } from './task';
import { workSlice } from './work';

const HAS_NOISE = 1;
const HAS_VAULT = 2;
/** Set if keys and display are a panel at the other end of a UART, which is only for test seeds. */
const IS_TEST = 4;
const CLAIM_AT = 8;
const CLAIM_MASK = 15;
const MAX_CLAIM = 8;
const IDLE_LIMIT = 1800;

/**
 * Starts, once: bit 0 the board has noise, bit 1 a vault, bit 2 its keys are at the other end of a UART, bits
 * 8 to 11 the entropy of a raw byte of noise, 1 to 8 bits.
 */
export function boot(options: i32): void {
  const claim = (options >> CLAIM_AT) & CLAIM_MASK;
  board.hasNoise = (options & HAS_NOISE) !== 0;
  board.hasVault = (options & HAS_VAULT) !== 0;
  board.isTest = (options & IS_TEST) !== 0;
  board.claimedBits = claim;
  if (board.hasVault && !board.hasNoise) unreachable();
  if (board.hasNoise && (claim === 0 || claim > MAX_CLAIM)) unreachable();
  if (board.hasVault) beginTask(TASK_START);
  else go(EMPTY, MENU_TOP);
  showPage();
  sealState();
}

/** Handles a press of 1 left, 2 right or 3 both, while it is in front. */
export function button(pressed: i32): void {
  checkSeal();
  if (in_front() === 0 || state.task !== TASK_NONE || pressed < LEFT || pressed > BOTH) return;
  pressOnPage(pressed, ~pressed);
  if (!state.isBehind) showPage();
  sealState();
}

/** Runs a slice of a long computation; returns 1 while more remains. */
export function work(): i32 {
  checkSeal();
  if (state.task === TASK_NONE) return 0;
  const more = workSlice();
  showPage();
  sealState();
  return more ? 1 : 0;
}

/** Seconds since the last press in either module: after half an hour, everything is forgotten. */
export function idle(seconds: i32): void {
  checkSeal();
  if (seconds < IDLE_LIMIT || (state.opened === OPEN && state.neverLocks)) return;
  // A menu, or a vault that is being read, has nothing to forget.
  if (state.page === EMPTY || state.page === LOCKED || state.task === TASK_START) return;
  closeAll();
  showPage();
  sealState();
}

/** Whether no seed is open for the signer: 1 or 0. */
export function locked(): i32 {
  checkSeal();
  return isOpen() ? 0 : 1;
}

/** The address of the 64 bytes of the seed, or 0. */
export function seed(): usize {
  checkSeal();
  return isOpen() ? seedBytes : 0;
}

/** Called when the user leaves the signer: shows the menu of the open seed. */
export function open_menu(): void {
  checkSeal();
  returnToMenu();
  showPage();
  sealState();
}

/** Whether display and buttons are the keystore's: 1 or 0. */
export function in_front(): i32 {
  return state.isBehind && state.opened === OPEN ? 0 : 1;
}
